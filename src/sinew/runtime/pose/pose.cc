#include "sinew/runtime/pose/pose.h"

namespace sinew::runtime {

Affine ToAffine(const Transform& transform) noexcept {
  const Quaternion& q = transform.rotation;
  const Float3& s = transform.scale;
  const Float3& t = transform.translation;
  // Dividing by the squared length makes every quaternion but zero a rotation.
  const float squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  const float k = squared > 0 ? 2 / squared : 0;
  const float xx = k * q.x * q.x, yy = k * q.y * q.y, zz = k * q.z * q.z;
  const float xy = k * q.x * q.y, xz = k * q.x * q.z, yz = k * q.y * q.z;
  const float wx = k * q.w * q.x, wy = k * q.w * q.y, wz = k * q.w * q.z;
  return {{s.x * (1 - yy - zz), s.x * (xy + wz), s.x * (xz - wy), 0,  //
           s.y * (xy - wz), s.y * (1 - xx - zz), s.y * (yz + wx), 0,  //
           s.z * (xz + wy), s.z * (yz - wx), s.z * (1 - xx - yy), 0,  //
           t.x, t.y, t.z, 1}};
}

Affine Multiply(const Affine& a, const Affine& b) noexcept {
  Affine product;
  for (int column = 0; column < 4; ++column) {
    const float* v = b.m + 4 * column;
    for (int row = 0; row < 4; ++row) {
      product.m[4 * column + row] = a.m[row] * v[0] + a.m[4 + row] * v[1] + a.m[8 + row] * v[2] + a.m[12 + row] * v[3];
    }
  }
  return product;
}

Status LocalToModelJob::Validate() const noexcept {
  if (locals.size() < parents.size() || models.size() < parents.size()) return Status::kInvalidArgument;
  for (size_t j = 0; j < parents.size(); ++j) {
    if (parents[j] >= static_cast<int>(j)) return Status::kInvalidArgument;
  }
  return Status::kOk;
}

Status LocalToModelJob::Run() const noexcept {
  if (const Status status = Validate(); status != Status::kOk) return status;
  for (size_t j = 0; j < parents.size(); ++j) {
    models[j] = Multiply(parents[j] < 0 ? root : models[parents[j]], ToAffine(locals[j]));
  }
  return Status::kOk;
}

Status SkinningMatricesJob::Validate() const noexcept {
  const bool enough = inverse_binds.size() >= models.size() && skinning.size() >= models.size();
  return enough ? Status::kOk : Status::kInvalidArgument;
}

Status SkinningMatricesJob::Run() const noexcept {
  if (const Status status = Validate(); status != Status::kOk) return status;
  for (size_t j = 0; j < models.size(); ++j) skinning[j] = Multiply(models[j], inverse_binds[j]);
  return Status::kOk;
}

}  // namespace sinew::runtime
