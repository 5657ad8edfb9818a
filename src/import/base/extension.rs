//! The names of extensions that more than one file looks for: a name with a slip in it would be an extension that no file has.

pub(in crate::import) const EXT_MESH_GPU_INSTANCING: &str = "EXT_mesh_gpu_instancing";
/// By this name, the extension has version 0 of the codec alone.
pub(in crate::import) const EXT_MESHOPT_COMPRESSION: &str = "EXT_meshopt_compression";
pub(in crate::import) const EXT_TEXTURE_WEBP: &str = "EXT_texture_webp";
pub(in crate::import) const KHR_ANIMATION_POINTER: &str = "KHR_animation_pointer";
pub(in crate::import) const KHR_DRACO_MESH_COMPRESSION: &str = "KHR_draco_mesh_compression";
pub(in crate::import) const KHR_LIGHTS_PUNCTUAL: &str = "KHR_lights_punctual";
pub(in crate::import) const KHR_MATERIALS_ANISOTROPY: &str = "KHR_materials_anisotropy";
pub(in crate::import) const KHR_MATERIALS_CLEARCOAT: &str = "KHR_materials_clearcoat";
pub(in crate::import) const KHR_MATERIALS_DIFFUSE_TRANSMISSION: &str =
    "KHR_materials_diffuse_transmission";
pub(in crate::import) const KHR_MATERIALS_DISPERSION: &str = "KHR_materials_dispersion";
pub(in crate::import) const KHR_MATERIALS_EMISSIVE_STRENGTH: &str =
    "KHR_materials_emissive_strength";
pub(in crate::import) const KHR_MATERIALS_IOR: &str = "KHR_materials_ior";
pub(in crate::import) const KHR_MATERIALS_IRIDESCENCE: &str = "KHR_materials_iridescence";
pub(in crate::import) const KHR_MATERIALS_PBR_SPECULAR_GLOSSINESS: &str =
    "KHR_materials_pbrSpecularGlossiness";
pub(in crate::import) const KHR_MATERIALS_SHEEN: &str = "KHR_materials_sheen";
pub(in crate::import) const KHR_MATERIALS_SPECULAR: &str = "KHR_materials_specular";
pub(in crate::import) const KHR_MATERIALS_TRANSMISSION: &str = "KHR_materials_transmission";
pub(in crate::import) const KHR_MATERIALS_UNLIT: &str = "KHR_materials_unlit";
pub(in crate::import) const KHR_MATERIALS_VARIANTS: &str = "KHR_materials_variants";
pub(in crate::import) const KHR_MATERIALS_VOLUME: &str = "KHR_materials_volume";
pub(in crate::import) const KHR_MESH_PRIMITIVE_RESTART: &str = "KHR_mesh_primitive_restart";
pub(in crate::import) const KHR_MESH_QUANTIZATION: &str = "KHR_mesh_quantization";
pub(in crate::import) const KHR_MESHOPT_COMPRESSION: &str = "KHR_meshopt_compression";
pub(in crate::import) const KHR_NODE_VISIBILITY: &str = "KHR_node_visibility";
pub(in crate::import) const KHR_TEXTURE_BASISU: &str = "KHR_texture_basisu";
pub(in crate::import) const KHR_TEXTURE_TRANSFORM: &str = "KHR_texture_transform";
pub(in crate::import) const KHR_XMP_JSON_LD: &str = "KHR_xmp_json_ld";
pub(in crate::import) const VRM: &str = "VRM";
pub(in crate::import) const VRMC_VRM: &str = "VRMC_vrm";
pub(in crate::import) const VRMC_VRM_ANIMATION: &str = "VRMC_vrm_animation";
