#include "sinew/offline/render/vertex_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/error.h"

namespace sinew::render {
namespace {

void Require(bool fits, const char* what) {
  if (!fits) throw UsageError(fmt::format("a mesh to be drawn has {}", what));
}

void Check(const RenderMesh& m) {
  const Eigen::Index count = m.mesh.positions.rows();
  const auto fits = [&](Eigen::Index rows) { return rows == 0 || rows == count; };
  Require(fits(m.normals.rows()), "another number of normals than vertices");
  Require(fits(m.colors.rows()), "another number of colours than vertices");
  Require(fits(m.texture_positions.rows()), "another number of texture positions than vertices");
  Require(fits(static_cast<Eigen::Index>(m.scalars.size())), "another number of heat values than vertices");
  Require(m.mesh.positions.allFinite(), "positions that are not finite");
  const auto& triangles = m.mesh.triangles;
  Require(triangles.rows() == 0 || (triangles.minCoeff() >= 0 && triangles.maxCoeff() < count),
          "triangles that name vertices it does not have");
}

std::vector<Vertex> SharedVertices(const RenderMesh& m, const Style& style) {
  const Points normals = m.normals.rows() > 0 ? m.normals : VertexNormals(m.mesh);
  const Color material = LinearFromSrgb(style.material);
  std::vector<Vertex> vertices(m.mesh.vertex_count(), Vertex{});
  for (int v = 0; v < m.mesh.vertex_count(); ++v) {
    Vertex& out = vertices[v];
    for (int c = 0; c < 3; ++c) {
      out.position[c] = m.mesh.positions(v, c);
      out.normal[c] = normals(v, c);
      out.color[c] = m.colors.rows() > 0 ? m.colors(v, c) : material[c];
    }
    if (m.texture_positions.rows() > 0) {
      out.texture_position[0] = m.texture_positions(v, 0);
      out.texture_position[1] = m.texture_positions(v, 1);
    }
    if (!m.scalars.empty()) out.scalar = m.scalars[v];
  }
  return vertices;
}

Color BoneColor(const Bones& bones, int joint) {
  if (bones.colors.rows() > 0) return bones.colors.row(joint).transpose();
  return FromOklch(0.80f, 0.13f, 75);
}

// Builder of bones and joints.
class BoneBuilder {
 public:
  // Adds a triangle with a flat normal.
  void Triangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c, const Color& color) {
    const Eigen::Vector3f normal = (b - a).cross(c - a).normalized();
    for (const Eigen::Vector3f* p : {&a, &b, &c}) Add(*p, normal, color);
  }

  // Adds an octahedron that is widest at an eighth of the way.
  void Octahedron(const Eigen::Vector3f& from, const Eigen::Vector3f& to, float radius, const Color& color) {
    const Eigen::Vector3f along = to - from;
    const Eigen::Vector3f side = along.unitOrthogonal() * radius;
    const Eigen::Vector3f other = along.normalized().cross(side);
    const Eigen::Vector3f middle = from + along * 0.14f;
    const std::array<Eigen::Vector3f, 4> ring = {middle + side, middle + other, middle - side, middle - other};
    for (int k = 0; k < 4; ++k) {
      Triangle(ring[k], ring[(k + 1) % 4], to, color);
      Triangle(ring[(k + 1) % 4], ring[k], from, color);
    }
  }

  void Ball(const Eigen::Vector3f& center, float radius, const Color& color) {
    constexpr int kRings = 8, kSectors = 14;
    const auto point = [&](int ring, int sector) {
      const float theta = std::numbers::pi_v<float> * static_cast<float>(ring) / kRings;
      const float phi = 2 * std::numbers::pi_v<float> * static_cast<float>(sector) / kSectors;
      return Eigen::Vector3f(std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi));
    };
    for (int r = 0; r < kRings; ++r) {
      for (int s = 0; s < kSectors; ++s) {
        const Eigen::Vector3f a = point(r, s), b = point(r, s + 1), c = point(r + 1, s), d = point(r + 1, s + 1);
        for (const Eigen::Vector3f& n : {a, b, c, c, b, d}) Add(center + n * radius, n, color);
      }
    }
  }

  VertexData Take() { return std::move(data_); }

 private:
  void Add(const Eigen::Vector3f& position, const Eigen::Vector3f& normal, const Color& color) {
    Vertex vertex{};
    std::copy_n(position.data(), 3, vertex.position);
    std::copy_n(normal.data(), 3, vertex.normal);
    std::copy_n(color.data(), 3, vertex.color);
    data_.indices.push_back(static_cast<uint32_t>(data_.vertices.size()));
    data_.vertices.push_back(vertex);
  }

  VertexData data_;
};

}  // namespace

VertexData MakeVertices(const RenderMesh& mesh, const Style& style) {
  Check(mesh);
  VertexData data{SharedVertices(mesh, style), {}};
  const Triangles& triangles = mesh.mesh.triangles;
  data.indices.assign(triangles.data(), triangles.data() + triangles.size());
  if (!style.wireframe) return data;
  VertexData split;
  split.vertices.reserve(data.indices.size());
  for (size_t i = 0; i < data.indices.size(); ++i) {
    split.vertices.push_back(data.vertices[data.indices[i]]);
    split.vertices.back().corner[i % 3] = 1;
    split.indices.push_back(static_cast<uint32_t>(i));
  }
  return split;
}

double LayersInPicture(const VertexData& data, const Eigen::Matrix4f& clip_from_model) {
  // OpenGL's picture is a square from -1 to 1.
  constexpr double kPictureArea = 4;
  std::vector<Eigen::Vector3d> projected;
  projected.reserve(data.vertices.size());
  for (const Vertex& vertex : data.vertices) {
    const Eigen::Vector3f position = Eigen::Vector3f::Map(vertex.position);
    const Eigen::Vector4d clip = (clip_from_model * position.homogeneous()).cast<double>();
    projected.emplace_back(clip.x() / clip.w(), clip.y() / clip.w(), clip.w());
  }
  double area = 0;
  for (size_t i = 0; i + 2 < data.indices.size(); i += 3) {
    const Eigen::Vector3d &a = projected[data.indices[i]], &b = projected[data.indices[i + 1]],
                          &c = projected[data.indices[i + 2]];
    if (!(std::min({a.z(), b.z(), c.z()}) > 0)) continue;  // at or behind the eye
    const Eigen::Vector2d ab = (b - a).head<2>(), ac = (c - a).head<2>();
    area += std::min(std::abs(ab.x() * ac.y() - ab.y() * ac.x()) / 2, kPictureArea);
  }
  return area / kPictureArea;
}

void SortFrontToBack(const Eigen::Vector3f& away, VertexData& data) {
  using Triangle = std::array<uint32_t, 3>;
  std::vector<std::pair<float, Triangle>> triangles;
  triangles.reserve(data.indices.size() / 3);
  for (size_t i = 0; i + 2 < data.indices.size(); i += 3) {
    const Triangle triangle = {data.indices[i], data.indices[i + 1], data.indices[i + 2]};
    float distance = 0;
    for (const uint32_t corner : triangle) distance += away.dot(Eigen::Vector3f::Map(data.vertices[corner].position));
    triangles.emplace_back(distance, triangle);
  }
  std::stable_sort(triangles.begin(), triangles.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  data.indices.clear();
  for (const auto& [distance, triangle] : triangles) {
    data.indices.insert(data.indices.end(), triangle.begin(), triangle.end());
  }
}

VertexData MakeBoneVertices(const Bones& bones, float size) {
  BoneBuilder builder;
  const float ball = size * 0.0075f;
  for (int j = 0; j < static_cast<int>(bones.joints.rows()); ++j) {
    const Eigen::Vector3f joint = bones.joints.row(j).transpose();
    builder.Ball(joint, ball, BoneColor(bones, j));
    const int parent = bones.parents[j];
    if (parent < 0) continue;
    const Eigen::Vector3f from = bones.joints.row(parent).transpose();
    const float length = (joint - from).norm();
    if (length > 1e-3f * size) {
      builder.Octahedron(from, joint, std::min(0.09f * length, 0.016f * size), BoneColor(bones, parent));
    }
  }
  return builder.Take();
}

VertexData MakeGroundVertices(const Eigen::Vector3f& center, float half_width) {
  VertexData data;
  for (int k = 0; k < 4; ++k) {
    Vertex vertex{};
    vertex.position[0] = center.x() + (k == 1 || k == 2 ? half_width : -half_width);
    vertex.position[1] = center.y();
    vertex.position[2] = center.z() + (k >= 2 ? -half_width : half_width);
    vertex.normal[1] = 1;
    data.vertices.push_back(vertex);
  }
  data.indices = {0, 1, 2, 0, 2, 3};
  return data;
}

}  // namespace sinew::render
