// Which way a surface faces: flat, interpolated, or bent by a normal map.

// Two directions along the surface, not longer than 1: along u, and against v. Zero where there are none.
struct TangentFrame {
    tangent: vec3<f32>,
    bitangent: vec3<f32>,
}

// Where vertices have no normals: the triangle's own, towards the eye.
fn flat_normal(in: VertexOut) -> vec3<f32> {
    // Down the picture and to its right: their cross product points out of it.
    let down = dpdy(in.position_from_eye);
    let right = dpdx(in.position_from_eye);
    // Of length 1 each: the product of very short ones would be nothing.
    let down_scale = inverseSqrt(max(dot(down, down), 1e-37));
    let right_scale = inverseSqrt(max(dot(right, right), 1e-37));
    return normalize(cross(down * down_scale, right * right_scale));
}

// The normal of the vertices or of the triangle, on the side that is the front.
fn front_normal(in: VertexOut, is_front: bool) -> vec3<f32> {
    if (primitive.flags & HAS_NORMALS) == 0u {
        return flat_normal(in) * select(-1.0, 1.0, is_front);
    }
    // Opposite normals can cancel: then any will do.
    return in.normal * inverseSqrt(max(dot(in.normal, in.normal), 1e-30));
}

// The frame of the vertices, or else the one that the coordinates of the material's first map of directions make: all of
// these maps lie in it.
fn tangent_frame(in: VertexOut, normal: vec3<f32>) -> TangentFrame {
    var tangent = in.tangent.xyz;
    var bitangent = cross(normal, tangent) * in.tangent.w;
    if (primitive.flags & (HAS_TANGENTS | NEEDS_OTHER_TANGENTS)) != HAS_TANGENTS {
        let uv = tex_coord(in, material.tangent_map);
        // From how position and texture coordinates change over the picture (M. Mittring, "Bump Mapping Unparametrized
        // Surfaces on the GPU", 2010, solved for the two directions).
        let across = cross(dpdy(in.position_from_eye), normal);
        let down = cross(normal, dpdx(in.position_from_eye));
        tangent = across * dpdx(uv).x + down * dpdy(uv).x;
        // glTF counts v downwards, normal maps count y upwards.
        bitangent = -(across * dpdx(uv).y + down * dpdy(uv).y);
        // Both are turned about if the picture's axes, right and down, run clockwise around the normal.
        let side = select(1.0, -1.0, dot(cross(dpdx(in.position_from_eye), dpdy(in.position_from_eye)), normal) < 0.0);
        // Points and lines have none of their own: normal maps leave them alone (glTF 2.0 §3.9.7).
        let has_faces = (primitive.flags & HAS_FACES) != 0u;
        tangent *= select(0.0, side, has_faces);
        bitangent *= select(0.0, side, has_faces);
    }
    let longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    let scale = select(0.0, inverseSqrt(longest), longest > 0.0);
    return TangentFrame(tangent * scale, bitangent * scale);
}

// A normal bent by a texel of a normal map (glTF 2.0 §3.9.3).
fn mapped_normal(normal: vec3<f32>, along: TangentFrame, texel: vec3<f32>, scale: f32) -> vec3<f32> {
    let bent = vec3((texel.xy * 2.0 - 1.0) * scale, texel.z * 2.0 - 1.0);
    let mapped = bent.x * along.tangent + bent.y * along.bitangent + bent.z * normal;
    let length_squared = dot(mapped, mapped);
    return select(normal, mapped * inverseSqrt(length_squared), length_squared > 1e-12 && dot(along.tangent, along.tangent) > 0.0);
}
