#include "sinew/offline/render/shaders.h"

namespace sinew::render::shaders {

const char kFullscreenVertex[] = R"(
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}
)";

const char kShadowVertex[] = R"(
layout(location = 0) in vec3 position;
uniform mat4 light_from_model;
void main() { gl_Position = light_from_model * vec4(position, 1.0); }
)";

const char kShadowFragment[] = "void main() {}\n";

const char kSurfaceVertex[] = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color;
layout(location = 3) in vec2 texture_position;
layout(location = 4) in float scalar;
layout(location = 5) in vec3 corner;
uniform mat4 clip_from_model;
out vec3 v_position;
out vec3 v_normal;
out vec3 v_color;
out vec2 v_texture;
out float v_scalar;
out vec3 v_corner;
void main() {
  v_position = position;
  v_normal = normal;
  v_color = color;
  v_texture = texture_position;
  v_scalar = scalar;
  v_corner = corner;
  gl_Position = clip_from_model * vec4(position, 1.0);
}
)";

const char kOpaque[] = "#define OPAQUE\n";

// The kind of surface is stored in the colour's alpha: 0 nothing, 1/3 ground, 2/3 lit surface, 1 heat map (lit such
// that colours stay close to those of the map).
const char kSurfaceFragment[] = R"(
in vec3 v_position;
in vec3 v_normal;
in vec3 v_color;
in vec2 v_texture;
in float v_scalar;
in vec3 v_corner;
layout(location = 0) out vec4 out_color;
layout(location = 1) out vec4 out_normal;
uniform vec3 eye;
uniform int kind;          // 1 ground, 2 vertex colours, 3 texture, 4 heat map
uniform bool flat_shading;
uniform bool wireframe;
uniform bool tint_backfaces;
uniform vec3 texture_factor;
uniform sampler2D base_texture;
uniform sampler2D heat_colors;
uniform vec2 heat_range;
uniform int transparency;  // 0 none, 1 mask, 2 blend
uniform float alpha_factor;
uniform float alpha_cutoff;

// Thresholds 1/32 to 31/32 in an order that is even over every 2 x 2 and 4 x 4 samples (Bayer, 1973).
float Threshold() {
  vec2 fine = mod(floor(gl_FragCoord.xy), 2.0), coarse = mod(floor(gl_FragCoord.xy / 2.0), 2.0);
  vec2 order = vec2(2.0 * fine.x + 3.0 * fine.y - 4.0 * fine.x * fine.y,
                    2.0 * coarse.x + 3.0 * coarse.y - 4.0 * coarse.x * coarse.y);
  return (4.0 * order.x + order.y + 0.5) / 16.0;
}

vec3 HeatColor(float value) {
  // A value that is not a number compares false.
  if (!(abs(value) < 1e30)) return vec3(0.35);
  float span = max(heat_range.y - heat_range.x, 1e-30);
  float t = clamp((value - heat_range.x) / span, 0.0, 1.0);
  float count = float(textureSize(heat_colors, 0).x);
  return pow(texture(heat_colors, vec2((t * (count - 1.0) + 0.5) / count, 0.5)).rgb, vec3(2.0));
}

// Edges are one picture pixel wide. Where triangles are smaller than a few pixels edges fade, so that dense parts do
// not turn black.
float Edge() {
  vec3 slope = max(fwidth(v_corner), vec3(1e-9));
  vec3 pixels = v_corner / slope;
  float nearest = min(pixels.x, min(pixels.y, pixels.z));
  vec3 heights = 1.0 / slope;
  float size = min(heights.x, min(heights.y, heights.z));
  return (1.0 - smoothstep(0.35, 1.35, nearest)) * mix(0.15, 1.0, smoothstep(1.5, 9.0, size));
}

void main() {
  vec3 across = cross(dFdx(v_position), dFdy(v_position));
  vec3 facet = dot(across, across) > 0.0 ? normalize(across) : vec3(0.0, 1.0, 0.0);
  if (dot(facet, eye - v_position) < 0.0) facet = -facet;
  vec3 normal = facet;
  if (!flat_shading && dot(v_normal, v_normal) > 1e-12) {
    normal = normalize(v_normal);
    if (!gl_FrontFacing) normal = -normal;
    // Smooth normals may point away from the eye near the outline; lights would then shine through.
    float away = dot(normal, normalize(eye - v_position));
    if (away < 0.0) normal = normalize(normal - away * normalize(eye - v_position));
  }
  vec3 color = v_color;
  float alpha = alpha_factor;
  if (kind == 3) {
    vec4 texel = texture(base_texture, v_texture);
    color = texel.rgb * texture_factor;
    alpha *= texel.a;
  }
#ifndef OPAQUE
  if (transparency == 1 && alpha < alpha_cutoff) discard;
  if (transparency == 2 && alpha < Threshold()) discard;
#endif
  if (kind == 4) color = HeatColor(v_scalar);
  if (tint_backfaces && !gl_FrontFacing) color = vec3(0.62, 0.02, 0.30);
  out_color = vec4(sqrt(clamp(color, 0.0, 1.0)), kind == 1 ? 1.0 / 3.0 : (kind == 4 ? 1.0 : 2.0 / 3.0));
  out_normal = vec4(normal, wireframe ? Edge() : 0.0);
}
)";

// Ambient occlusion: J. Jimenez et al., "Practical Real-Time Strategies for Accurate Indirect Occlusion", 2016,
// equations 5 to 10: horizons in a few slices through the view direction, integrated with the cosine in closed form.
// Shadow: R. Fernando, "Percentage-Closer Soft Shadows", 2005, for a directional light with an angular size.
const char kVisibilityFragment[] = R"(
out vec4 out_visibility;
uniform sampler2D surface_depth;
uniform sampler2D surface_normal;
uniform sampler2D surface_color;
uniform sampler2D shadow_depth;
uniform vec2 picture_size;      // pixels
uniform vec2 near_far;
uniform vec2 tangents;          // of half the angles of view
uniform mat3 model_from_camera;
uniform vec3 eye;
uniform float occlusion_radius; // model units
uniform mat4 light_from_model;
uniform vec3 light_direction;   // towards the light
uniform vec3 light_extent;      // half width, half height, half depth of the light's box, model units
uniform float shadow_offset;    // model units
uniform float light_size;       // tangent of its angular radius
uniform vec3 ground_center;
uniform float ground_reach;    // beyond it the ground is background

const float kPi = 3.14159265;

float Depth(ivec2 texel) {
  float d = texelFetch(surface_depth, texel, 0).r;
  return near_far.x * near_far.y / (near_far.y - d * (near_far.y - near_far.x));
}

vec3 CameraPosition(vec2 pixel, float depth) {
  vec2 ndc = pixel / picture_size * 2.0 - 1.0;
  return vec3(ndc * tangents, -1.0) * depth;
}

// 16 values in 4x4 pixels, an ordered pattern, so that averaging any 4x4 pixels removes it.
float Pattern(vec2 pixel) {
  vec2 p = mod(floor(pixel), 4.0);
  vec2 half_p = floor(p / 2.0);
  vec2 odd = p - 2.0 * half_p;
  float coarse = mod(2.0 * half_p.x + 3.0 * half_p.y, 4.0);
  float fine = mod(2.0 * odd.x + 3.0 * odd.y, 4.0);
  return (4.0 * fine + coarse + 0.5) / 16.0;
}

float Occlusion(vec2 pixel, vec3 position, vec3 normal, float pattern) {
  const int kSlices = 3;
  const int kSteps = 6;
  vec3 view = normalize(-position);
  float radius_pixels = occlusion_radius / (-position.z * tangents.y) * picture_size.y * 0.5;
  radius_pixels = min(radius_pixels, 0.25 * picture_size.y);
  float sum = 0.0;
  for (int slice = 0; slice < kSlices; ++slice) {
    float phi = (float(slice) + pattern) * kPi / float(kSlices);
    vec2 omega = vec2(cos(phi), sin(phi));
    vec3 direction = vec3(omega, 0.0);
    vec3 ortho = direction - dot(direction, view) * view;
    vec3 axis = normalize(cross(direction, view));
    vec3 projected = normal - axis * dot(normal, axis);
    float projected_length = length(projected);
    float cosine = clamp(dot(projected, view) / max(projected_length, 1e-6), -1.0, 1.0);
    float n = (dot(ortho, projected) < 0.0 ? -1.0 : 1.0) * acos(cosine);
    for (int side = 0; side < 2; ++side) {
      float sign_side = side == 0 ? -1.0 : 1.0;
      float lowest = cos(n + sign_side * kPi * 0.5);
      float horizon = lowest;
      for (int step = 0; step < kSteps; ++step) {
        float s = (float(step) + 0.2 + 0.8 * fract(pattern * 7.0 + 0.37 * float(slice))) / float(kSteps);
        vec2 at = pixel + sign_side * omega * max(s * s * radius_pixels, float(step) + 1.0);
        vec2 inside = clamp(at, vec2(0.5), picture_size - 0.5);
        if (inside != at) continue;
        vec3 other = CameraPosition(at, Depth(ivec2(at * 2.0))) - position;
        float distance2 = dot(other, other);
        float near = clamp(1.0 - distance2 / (occlusion_radius * occlusion_radius), 0.0, 1.0);
        float found = dot(other, view) * inversesqrt(max(distance2, 1e-20));
        horizon = max(horizon, mix(lowest, found, near));
      }
      float h = sign_side * acos(clamp(horizon, -1.0, 1.0));
      h = n + clamp(h - n, -kPi * 0.5, kPi * 0.5);
      sum += projected_length * 0.25 * (cos(n) + 2.0 * h * sin(n) - cos(2.0 * h - n));
    }
  }
  return clamp(sum / float(kSlices), 0.0, 1.0);
}

vec2 Disc(int index, int count, float pattern) {
  float radius = sqrt((float(index) + 0.5) / float(count));
  float angle = float(index) * 2.39996323 + pattern * 2.0 * kPi;
  return radius * vec2(cos(angle), sin(angle));
}

float KeyLight(vec3 position, vec3 normal, float pattern) {
  // Pushed off the surface, more where the light grazes: by a few texels of the shadow map, and by what smooth normals
  // pretend that the triangles bulge out, or the triangles' edges would show along the shadow's border.
  float texel = 2.0 * max(light_extent.x, light_extent.y) / float(textureSize(shadow_depth, 0).x);
  float facing = clamp(dot(normal, light_direction), 0.0, 1.0);
  vec3 moved = position + normal * max(1.5 * texel, shadow_offset) * mix(3.0, 1.0, facing);
  vec3 p = (light_from_model * vec4(moved, 1.0)).xyz * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float meters = 2.0 * light_extent.z;
  vec2 per_meter = 0.5 / light_extent.xy;
  float search = clamp(p.z * meters * light_size, 2.0 * texel, 0.2 * light_extent.x);
  float bias = texel * 0.7 / meters;
  const int kBlockers = 16;
  float blockers = 0.0, blocker_sum = 0.0;
  for (int i = 0; i < kBlockers; ++i) {
    vec2 offset = Disc(i, kBlockers, pattern) * search;
    float d = texture(shadow_depth, p.xy + offset * per_meter).r;
    // The receiver's own slope must not count: allow what a plane could differ over the offset.
    if (d < p.z - bias - 0.5 * length(offset) / meters) { blockers += 1.0; blocker_sum += d; }
  }
  float gap = blockers > 0.0 ? (p.z - blocker_sum / blockers) * meters : 0.0;
  float penumbra = clamp(gap * light_size, 1.2 * texel, search);
  const int kTaps = 28;
  float lit = 0.0;
  for (int i = 0; i < kTaps; ++i) {
    vec2 offset = Disc(i, kTaps, pattern + 0.5) * penumbra;
    float d = texture(shadow_depth, p.xy + offset * per_meter).r;
    lit += d < p.z - bias - 0.5 * length(offset) / meters ? 0.0 : 1.0;
  }
  return lit / float(kTaps);
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy) * 2;
  vec4 color = texelFetch(surface_color, texel, 0);
  out_visibility = vec4(1.0);
  if (color.a < 0.2) return;
  float depth = Depth(texel);
  vec2 pixel = (vec2(texel) + 0.5) * 0.5;
  vec3 position = CameraPosition(pixel, depth);
  vec3 position_model = model_from_camera * position + eye;
  bool ground = color.a < 0.5;
  if (ground && distance(position_model.xz, ground_center.xz) > ground_reach) return;
  vec3 normal_model = ground ? vec3(0.0, 1.0, 0.0) : texelFetch(surface_normal, texel, 0).xyz;
  float pattern = Pattern(gl_FragCoord.xy);
  out_visibility.r = Occlusion(pixel, position, transpose(model_from_camera) * normal_model, pattern);
  out_visibility.g = KeyLight(position_model, normal_model, pattern);
}
)";

// Averages 4x4 pixels of the same surface, as 5x5 pixels with half weights at the ends, so that the filter is centred.
const char kSmoothFragment[] = R"(
out vec4 out_visibility;
uniform sampler2D visibility;
uniform sampler2D surface_depth;
uniform sampler2D surface_normal;
uniform vec2 near_far;
uniform float pixel_size;   // tangent of one picture pixel

float Depth(ivec2 pixel) {
  float d = texelFetch(surface_depth, pixel * 2, 0).r;
  return near_far.x * near_far.y / (near_far.y - d * (near_far.y - near_far.x));
}

void main() {
  ivec2 center = ivec2(gl_FragCoord.xy);
  out_visibility = vec4(1.0);
  if (texelFetch(surface_depth, center * 2, 0).r >= 1.0) return;
  ivec2 size = textureSize(visibility, 0);
  float depth = Depth(center);
  vec3 normal = texelFetch(surface_normal, center * 2, 0).xyz;
  float step_depth = depth * pixel_size;
  vec2 sum = vec2(0.0);
  float weights = 0.0;
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) {
      ivec2 at = clamp(center + ivec2(x, y), ivec2(0), size - 1);
      float weight = (abs(x) == 2 ? 0.5 : 1.0) * (abs(y) == 2 ? 0.5 : 1.0);
      float apart = abs(Depth(at) - depth) / step_depth;
      float turn = dot(texelFetch(surface_normal, at * 2, 0).xyz, normal);
      weight *= exp(-apart * 0.12) * clamp(turn * 4.0 - 2.6, 0.02, 1.0);
      sum += weight * texelFetch(visibility, at, 0).rg;
      weights += weight;
    }
  }
  out_visibility = vec4(sum / weights, 0.0, 1.0);
}
)";

const char kLightFragment[] = R"(
out vec4 out_light;
uniform sampler2D surface_color;
uniform sampler2D surface_normal;
uniform sampler2D surface_depth;
uniform sampler2D visibility;
uniform vec2 size;              // of the target, pixels
uniform vec2 near_far;
uniform vec2 tangents;
uniform mat3 model_from_camera;
uniform vec3 eye;
uniform vec3 key_direction;
uniform vec3 fill_direction;
uniform vec3 rim_direction;
uniform vec3 ground_center;
uniform float ground_reach;

const float kPi = 3.14159265;

float Depth(ivec2 texel) {
  float d = texelFetch(surface_depth, texel, 0).r;
  return near_far.x * near_far.y / (near_far.y - d * (near_far.y - near_far.x));
}

// The four nearest visibility pixels, those of another surface left out.
vec2 Visibility(float depth) {
  vec2 at = gl_FragCoord.xy * 0.5 - 0.5;
  ivec2 base = ivec2(floor(at));
  vec2 part = at - vec2(base);
  ivec2 last = textureSize(visibility, 0) - 1;
  vec2 sum = vec2(0.0);
  float weights = 0.0;
  for (int k = 0; k < 4; ++k) {
    ivec2 offset = ivec2(k & 1, k >> 1);
    ivec2 pixel = clamp(base + offset, ivec2(0), last);
    vec2 share = mix(1.0 - part, part, vec2(offset));
    float apart = abs(Depth(pixel * 2) - depth) / depth;
    float weight = (share.x * share.y + 1e-3) * exp2(-apart * 700.0) + 1e-6;
    sum += weight * texelFetch(visibility, pixel, 0).rg;
    weights += weight;
  }
  return sum / weights;
}

// A studio backdrop: light in the middle, a little darker above and below.
vec3 Background() {
  float y = gl_FragCoord.y / size.y;
  vec3 high = vec3(0.735, 0.760, 0.790);
  vec3 middle = vec3(0.855, 0.868, 0.882);
  vec3 low = vec3(0.800, 0.806, 0.812);
  float up = smoothstep(0.25, 1.05, y);
  return mix(mix(low, middle, smoothstep(-0.05, 0.35, y)), high, up);
}

// Gentle specular of a matte surface: normal distribution of Trowbridge and Reitz, the rest folded into a constant.
float Gloss(vec3 normal, vec3 view, vec3 light, float roughness) {
  vec3 middle = normalize(view + light);
  float a2 = roughness * roughness * roughness * roughness;
  float c = max(dot(normal, middle), 0.0);
  float d = c * c * (a2 - 1.0) + 1.0;
  float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(view, middle), 0.0), 5.0);
  return a2 / (kPi * d * d) * fresnel * 0.25;
}

// Light reaches a little around the terminator, redder the further it goes, as in wax and skin.
vec3 Soft(float cosine) {
  vec3 wrap = vec3(0.19, 0.155, 0.14);
  vec3 wrapped = clamp((vec3(cosine) + wrap) / (1.0 + wrap), 0.0, 1.0);
  return wrapped * wrapped * 0.35 + max(cosine, 0.0) * 0.65;
}

// Light that bounces between the walls of a fold takes their colour (Jimenez et al. 2016, equation 15).
vec3 Bounced(float occlusion, vec3 albedo) {
  vec3 a = 2.0404 * albedo - 0.3324;
  vec3 b = -4.7951 * albedo + 0.6417;
  vec3 c = 2.7552 * albedo + 0.6903;
  return max(vec3(occlusion), ((occlusion * a + b) * occlusion + c) * occlusion);
}

vec3 Sky(vec3 normal) {
  return mix(vec3(0.50, 0.46, 0.43), vec3(0.86, 0.92, 1.0), 0.5 + 0.5 * normal.y);
}

// Straight through the middle tones, bending towards white above them; by the strongest channel, so that hues stay.
vec3 ToneMap(vec3 light) {
  const float kKnee = 0.58;
  float peak = max(light.r, max(light.g, light.b));
  float over = max(peak - kKnee, 0.0) / (1.0 - kKnee);
  float mapped = min(peak, kKnee) + (1.0 - kKnee) * over / (1.0 + over);
  return light * (mapped / max(peak, 1e-6));
}

vec3 Lit(vec3 albedo, vec3 normal, vec3 view, float occlusion, float key) {
  vec3 key_color = vec3(1.0, 0.965, 0.92) * 1.62;
  vec3 fill_color = vec3(0.80, 0.89, 1.0) * 0.22;
  vec3 rim_color = vec3(0.92, 0.96, 1.0) * 0.85;
  float facing = max(dot(normal, view), 0.0);
  float outline = pow(1.0 - facing, 3.0);
  vec3 diffuse = key_color * Soft(dot(normal, key_direction)) * key
               + fill_color * Soft(dot(normal, fill_direction)) * mix(occlusion, 1.0, 0.3)
               + rim_color * max(dot(normal, rim_direction), 0.0) * (0.25 + outline) * occlusion
               + Sky(normal) * 0.31 * Bounced(occlusion, albedo);
  vec3 gloss = key_color * Gloss(normal, view, key_direction, 0.55) * key * max(dot(normal, key_direction), 0.0)
             + rim_color * outline * max(dot(normal, rim_direction), 0.0) * 0.12 * occlusion;
  return albedo * diffuse + gloss;
}

// Heat maps: shape is told by a little shading, colour stays close to the legend's.
vec3 Plain(vec3 albedo, vec3 normal, float occlusion, float key) {
  float shade = 0.64 + 0.36 * max(dot(normal, key_direction), 0.0) * mix(0.6, 1.0, key)
              + 0.10 * max(dot(normal, fill_direction), 0.0);
  return albedo * shade * mix(0.55, 1.0, occlusion);
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  vec4 color = texelFetch(surface_color, texel, 0);
  vec3 background = Background();
  if (color.a < 0.2) { out_light = vec4(background, 1.0); return; }
  float depth = Depth(texel);
  vec2 ndc = gl_FragCoord.xy / size * 2.0 - 1.0;
  vec3 ray = model_from_camera * vec3(ndc * tangents, -1.0);
  vec3 position = eye + ray * depth;
  vec2 seen = Visibility(depth);
  if (color.a < 0.5) {
    float far = length(position.xz - ground_center.xz) / ground_reach;
    // Also towards the picture's sides, so that panels join without a seam.
    float side = gl_FragCoord.x / size.y;
    float inside = smoothstep(0.0, 0.10, min(side, size.x / size.y - side));
    float fade = (1.0 - smoothstep(0.25, 1.0, far)) * inside;
    vec3 dark = mix(vec3(0.56, 0.565, 0.59), vec3(1.0), seen.g) * mix(0.30, 1.0, smoothstep(0.0, 1.0, seen.r));
    out_light = vec4(background * mix(vec3(1.0), dark, fade), 1.0);
    return;
  }
  vec3 albedo = color.rgb * color.rgb;
  vec4 normal_edge = texelFetch(surface_normal, texel, 0);
  vec3 normal = normalize(normal_edge.xyz);
  vec3 view = -normalize(ray);
  vec3 light = color.a > 0.8 ? Plain(albedo, normal, seen.r, seen.g)
                             : ToneMap(Lit(albedo, normal, view, seen.r, seen.g));
  light = mix(light, vec3(0.030, 0.035, 0.050), normal_edge.w * 0.72);
  out_light = vec4(light, 1.0);
}
)";

const char kBonesVertex[] = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color;
uniform mat4 clip_from_model;
out vec3 v_normal;
out vec3 v_color;
void main() {
  v_normal = normal;
  v_color = color;
  gl_Position = clip_from_model * vec4(position, 1.0);
}
)";

const char kBonesFragment[] = R"(
in vec3 v_normal;
in vec3 v_color;
out vec4 out_color;
uniform vec3 key_direction;
void main() {
  float shade = 0.62 + 0.38 * (0.5 + 0.5 * dot(normalize(v_normal), key_direction));
  out_color = vec4(v_color * shade, 1.0);
}
)";

const char kResolveFragment[] = R"(
out vec4 out_color;
uniform sampler2D light;
uniform sampler2D bones;
uniform bool with_bones;

vec3 Encode(vec3 linear) {
  vec3 low = linear * 12.92;
  vec3 high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
  return mix(high, low, vec3(lessThanEqual(linear, vec3(0.0031308))));
}

// An ordered 8x8 pattern of half a step hides the steps of slow gradients, and compresses well.
float Dither(vec2 pixel) {
  vec2 p = mod(floor(pixel), 8.0);
  float value = 0.0;
  float weight = 0.5;
  for (int level = 0; level < 3; ++level) {
    vec2 odd = mod(p, 2.0);
    value += weight * (mod(2.0 * odd.x + 3.0 * odd.y, 4.0)) * 0.5;
    p = floor(p * 0.5);
    weight *= 0.25;
  }
  return value;
}

vec3 WithBones(ivec2 texel, vec3 under) {
  vec4 bone = texelFetch(bones, texel, 0);
  if (bone.a > 0.5) return mix(under, bone.rgb, 0.92);
  ivec2 last = textureSize(bones, 0) - 1;
  float near = 0.0;
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) {
      if (x * x + y * y > 5) continue;
      near = max(near, texelFetch(bones, clamp(texel + ivec2(x, y), ivec2(0), last), 0).a);
    }
  }
  return mix(under, vec3(0.02, 0.025, 0.04), near * 0.75);
}

vec3 Sample(ivec2 texel) {
  ivec2 inside = clamp(texel, ivec2(0), textureSize(light, 0) - 1);
  vec3 color = texelFetch(light, inside, 0).rgb;
  return with_bones ? WithBones(inside, color) : color;
}

// 4x4 with weights 1 3 3 1: edges get more steps than 2x2 alone would give them.
void main() {
  vec3 sum = vec3(0.0);
  for (int y = -1; y <= 2; ++y) {
    for (int x = -1; x <= 2; ++x) {
      float weight = (x == 0 || x == 1 ? 0.375 : 0.125) * (y == 0 || y == 1 ? 0.375 : 0.125);
      sum += weight * Sample(ivec2(gl_FragCoord.xy) * 2 + ivec2(x, y));
    }
  }
  vec3 encoded = Encode(clamp(sum, 0.0, 1.0)) * 255.0;
  out_color = vec4(floor(encoded + Dither(gl_FragCoord.xy)) / 255.0, 1.0);
}
)";

}  // namespace sinew::render::shaders
