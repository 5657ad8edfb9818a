# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_rigscope_global_optspecs
    string join \n crowd= compare= palette= variant= skinning= environment= environment-turn= environment-strength= key-light= no-shadows lights-as-stated exposure= tone= transparency= quality= open-anyway allow-outside wayland h/help V/version
end

function __fish_rigscope_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_rigscope_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_rigscope_using_subcommand
    set -l cmd (__fish_rigscope_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c rigscope -n "__fish_rigscope_needs_command" -l crowd -d 'Show N of the model on a field, each somewhere else in the clip' -r
complete -c rigscope -n "__fish_rigscope_needs_command" -l compare -d 'Show another model beside it, on the same clock and in the same camera' -r -F
complete -c rigscope -n "__fish_rigscope_needs_command" -l palette -d 'How the matrices of a crowd go to the graphics adapter: full, 48 bytes each; compact, 32, also where that changes them by a ten-thousandth; or auto, compact where it changes nothing' -r -f -a "auto\t''
full\t''
compact\t''"
complete -c rigscope -n "__fish_rigscope_needs_command" -l variant -d 'Show this variant of the materials, by its name or its index, where the model has it' -r
complete -c rigscope -n "__fish_rigscope_needs_command" -l skinning -d 'How the joints that move a vertex are blended: linear, as glTF asks, or dual-quaternion' -r -f -a "linear\t''
dual-quaternion\t''"
complete -c rigscope -n "__fish_rigscope_needs_command" -l environment -d 'The environment: an equirectangular .hdr or .exr picture instead of the built-in studio' -r -F
complete -c rigscope -n "__fish_rigscope_needs_command" -l environment-turn -d 'How far the environment is turned, from +Z towards +X' -r
complete -c rigscope -n "__fish_rigscope_needs_command" -l environment-strength -d 'Factor on the light of the environment, from 0 to 16' -r
complete -c rigscope -n "__fish_rigscope_needs_command" -l key-light -d 'Whether the key light shines: by itself in the studio, on models that bring no lights along' -r -f -a "auto\t'As the model asks'
on\t'On'
off\t'Off'"
complete -c rigscope -n "__fish_rigscope_needs_command" -l exposure -d 'Brighter or darker, in powers of two, from -10 to 10' -r
complete -c rigscope -n "__fish_rigscope_needs_command" -l tone -d 'How light becomes colours; by itself neutral' -r -f -a "neutral\t'Khronos PBR Neutral: colours stay as materials have them'
aces\t'As a film would show it: strong contrast'
agx\t'Soft contrast; bright colours fade'
none\t'Light as it is; what is too bright is cut off'"
complete -c rigscope -n "__fish_rigscope_needs_command" -l transparency -d 'How blended surfaces meet: far ones first, as by itself, or all together, weighted by their distance and in no order' -r -f -a "sorted\t'Far surfaces first, primitive by primitive: exact where these do not cross'
weighted\t'In no order: nothing pops where surfaces cross, but colours are near misses'"
complete -c rigscope -n "__fish_rigscope_needs_command" -l quality -d 'What pictures may cost: low has no shadows and rough reflections; by itself full, and low in windows without a graphics adapter' -r -f -a "full\t'Everything'
low\t'What software draws quickly'"
complete -c rigscope -n "__fish_rigscope_needs_command" -l no-shadows -d 'No shadows'
complete -c rigscope -n "__fish_rigscope_needs_command" -l lights-as-stated -d 'The lights of the file as bright as it states them: by themselves those that would leave all white are dimmed'
complete -c rigscope -n "__fish_rigscope_needs_command" -l open-anyway -d 'Read the model even if it requires extensions, or a minor version of glTF, that are unknown here'
complete -c rigscope -n "__fish_rigscope_needs_command" -l allow-outside -d 'Open files that the model names outside of its own folder, too (never from the net)'
complete -c rigscope -n "__fish_rigscope_needs_command" -l wayland -d 'Use Wayland even where X11 is there too: sharper on scaled screens, but files cannot be dropped on the window'
complete -c rigscope -n "__fish_rigscope_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rigscope -n "__fish_rigscope_needs_command" -s V -l version -d 'Print version'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "render" -d 'Draw pictures of models: still, moving, or many in one call'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "pose" -d 'Print the pose of a model at a time, as JSON'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "bake" -d 'Save a model with one more animation, as it is played: of another file, retargeted, in place, or all clips at once'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "info" -d 'Print what is in a file'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "compare" -d 'Compare two models: nodes, meshes, materials and their pictures, the poses of all clips; exit code 1 if they differ'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "check" -d 'Print what is wrong with files'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "completions" -d 'Print what a shell needs to complete the command line'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "manual" -d 'Write the pages of the manual'
complete -c rigscope -n "__fish_rigscope_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -s o -l output -d 'Where the picture goes: a .png, .jpg or .webp file, or an animation: .gif, .apng, and .webp with several frames. Several frames as .png or .jpg are files with numbers, where {:04} stands in the name, or at its end; where it stands there files of all kinds hold one picture. - is standard output, wants --format, and takes several .png or .jpg, too, one after the other' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l format -d 'What the files are, whatever their names say' -r -f -a "png\t''
jpg\t''
webp\t''
gif\t''
apng\t''"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l frames -d 'Draw N frames, from --time on; past the clip\'s end it begins again. GIF, APNG, and with --clip files with numbers: once through the clip' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l fps -d 'Frames a second; by itself those that the keys of the clip lie at, up to 60, and else 30' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l sheet -d 'One picture with N poses of every clip (or of --clip), a row each' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l out-dir -d 'Draw each of the models into a file of this folder that is named like it, and where several have one name also like its folders; go on when one fails. Prints a line for each, with tabs: "drawn", the model, its first file and the time, or "failed", the model and why' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l list -d 'Draw the models that this file names, one on each line, from the current folder, too; - is standard input' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l shard -d 'Of all models draw only each N-th, from the I-th on (counted from 0): a share of the work' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l scene -d 'The scene that is shown, by its name or its index; without it the file\'s default one' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l clip -d 'The clip, by its name or its index, or "all" for all of them at once; without it the model is as the file has it. With --clips-from a name is first looked for there' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l clips-from -d 'Add the clips of another file to the model\'s own, by the names of nodes; may be given several times. They count before the model\'s own: where both have a clip of one name, and with --clip all where both move the same' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l time -d 'The time within the clip in seconds: clamped to its keys, never looped' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l pose -d 'Draw the pose in a file that `rigscope pose` has printed, or that was saved in the window' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l compare -d 'Draw something else beside the model: another of its clips by name, "linear" or "dual-quaternion" for the same pose skinned in that way, or another file in the clip of the same name' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l split -d 'How the two share the picture: side (by side), wipe (in one place, each on its side of a line), or overlay (the other as a ghost, where it differs)' -r -f -a "side\t''
wipe\t''
overlay\t''"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l split-at -d 'Where the line between them is, as a part of the width; by itself 0.5. Beside each other both have a tenth at least' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l variant -d 'Show this variant of the materials, by its name or its index' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l size -d 'Size of the picture in pixels, or the side of a square one; 1280x720, with --sheet 192x192 for each pose' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l scale -d 'Draw so many times as wide and high and average it, for smoother edges' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l crowd -d 'Draw N of the model on a field, each somewhere else in its clip; without --clip in all clips' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l palette -d 'How the matrices of a crowd go to the graphics adapter: full, 48 bytes each; compact, 32, also where that changes them by a ten-thousandth; or auto, as by itself: compact where it changes nothing' -r -f -a "auto\t''
full\t''
compact\t''"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l view -d 'What to draw of surfaces' -r -f -a "lit\t''
wireframe\t''
faces\t''
base-color\t''
alpha\t''
vertex-color\t''
metallic\t''
roughness\t''
occlusion\t''
emissive\t''
clearcoat\t''
clearcoat-roughness\t''
sheen\t''
sheen-roughness\t''
specular\t''
specular-color\t''
transmission\t''
diffuse-transmission\t''
diffuse-transmission-color\t''
iridescence\t''
anisotropy\t''
normal\t''
geometric-normal\t''
tangent\t''
uv\t''
weights\t''
joints\t''
influences\t''
skinning-difference\t''
depth\t''
overdraw\t''"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l joint -d 'The joint that --view weights is about' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l weight-colors -d 'Colours of --view weights: heat, as by itself, or viridis (told apart by colour-blind eyes)' -r -f -a "heat\t''
viridis\t''"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l skinning -d 'How the joints that move a vertex are blended: linear, as glTF asks, or dual-quaternion' -r -f -a "linear\t''
dual-quaternion\t''"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l environment -d 'The environment: an equirectangular .hdr or .exr picture instead of the built-in studio' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l environment-turn -d 'How far the environment is turned, from +Z towards +X' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l environment-strength -d 'Factor on the light of the environment, from 0 to 16' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l key-light -d 'Whether the key light shines: by itself in the studio, on models that bring no lights along' -r -f -a "auto\t'As the model asks'
on\t'On'
off\t'Off'"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l exposure -d 'Brighter or darker, in powers of two, from -10 to 10' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l tone -d 'How light becomes colours; by itself neutral' -r -f -a "neutral\t'Khronos PBR Neutral: colours stay as materials have them'
aces\t'As a film would show it: strong contrast'
agx\t'Soft contrast; bright colours fade'
none\t'Light as it is; what is too bright is cut off'"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l transparency -d 'How blended surfaces meet: far ones first, as by itself, or all together, weighted by their distance and in no order' -r -f -a "sorted\t'Far surfaces first, primitive by primitive: exact where these do not cross'
weighted\t'In no order: nothing pops where surfaces cross, but colours are near misses'"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l quality -d 'What pictures may cost: low has no shadows and rough reflections; by itself full, and low in windows without a graphics adapter' -r -f -a "full\t'Everything'
low\t'What software draws quickly'"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l background -d 'One colour behind the model, "environment" for the environment, or "none" for a picture with alpha' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l blur -d 'How blurred the environment is behind the model, from 0 to 1' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l target -d 'The point that the camera looks at; without it the posed model is framed' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l orbit -d 'Where the camera stands: degrees around (0 from +Z, growing towards +X), degrees from +Y, distance' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l camera -d 'A camera of the file, by its name or its index; or where the camera stands: degrees around, degrees above the horizon, and the distance, without which the model is framed' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l fov -d 'Full vertical angle of view in degrees' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l framing -d 'What is framed: the pose, or the whole motion, so that the camera stands still; for several frames the motion' -r -f -a "pose\t'One pose'
motion\t'All poses from the first frame to the last; of one picture, all of the clip'"
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l open-anyway -d 'Read the model even if it requires extensions, or a minor version of glTF, that are unknown here'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l allow-outside -d 'Open files that the model names outside of its own folder, too (never from the net)'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l no-loop -d 'Past the clip\'s end its last pose stays; GIF, WebP and APNG play once'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l turntable -d 'Move the camera once around the model over the frames, of which there are 4 seconds without a clip'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l retarget -d 'Turn the clips of --clips-from into the model\'s own rest pose, and scale their steps to its size'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l by-phase -d 'Both clips begin and end together, however long they are'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l skeleton -d 'Draw the skeleton, too; it is drawn anyway where there is nothing else to draw'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l grid -d 'Draw the ground grid, too'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l wires -d 'Draw the edges of all triangles over surfaces, too'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l normals -d 'Draw the normals of vertices as lines, too'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l no-shadows -d 'No shadows'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l lights-as-stated -d 'The lights of the file as bright as it states them: by themselves those that would leave all white are dimmed'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l ground -d 'Draw the model\'s shadow on the ground, too'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -l transparent -d 'A picture with alpha: the same as --background none. Shadows on the ground are as dark on a page as with a background; other colours that let half of it through look otherwise where programs mix them as sRGB, as browsers do'
complete -c rigscope -n "__fish_rigscope_using_subcommand render" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l scene -d 'The scene that is shown, by its name or its index; without it the file\'s default one' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l clip -d 'The clip, by its name or its index, or "all" for all of them at once; without it the model is as the file has it. With --clips-from a name is first looked for there' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l clips-from -d 'Add the clips of another file to the model\'s own, by the names of nodes; may be given several times. They count before the model\'s own: where both have a clip of one name, and with --clip all where both move the same' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l time -d 'The time within the clip in seconds: clamped to its keys, never looped' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l skinning -d 'How the joints that move a vertex are blended: linear, as glTF asks, or dual-quaternion' -r -f -a "linear\t''
dual-quaternion\t''"
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l pose -d 'Take the pose from a file that this command has printed, instead of from a clip; - is standard input' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l save -d 'Write to a file instead: OUT.glb holds the posed mesh, which needs neither joints nor clips; OUT.json the pose' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l as-clip -d 'Save the whole model as OUT.glb, as its file has it, with the pose added as a clip of this name and of one key' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l open-anyway -d 'Read the model even if it requires extensions, or a minor version of glTF, that are unknown here'
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l allow-outside -d 'Open files that the model names outside of its own folder, too (never from the net)'
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l retarget -d 'Turn the clips of --clips-from into the model\'s own rest pose, and scale their steps to its size'
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l vertices -d 'Print the posed vertices of all meshes, too'
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -l gpu -d 'Compute the vertices by the shader\'s own functions on the GPU (with --vertices)'
complete -c rigscope -n "__fish_rigscope_using_subcommand pose" -s h -l help -d 'Print help'
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -s o -l output -d 'Where the whole model goes, as its file has it, with the animation as the last one' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -l clip -d 'The clip, by its name or its index, or "all" for all of them at once; with --clips-from a name is first looked for there; without it the only one there is, with --clips-from the only one there' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -l clips-from -d 'Add the clips of another file to the model\'s own, by the names of nodes; may be given several times. They count before the model\'s own: where both have a clip of one name, and with --clip all where both move the same' -r -F
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -l fps -d 'Keys so many times a second, straight in between; by itself the keys and curves that the clip has' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -l name -d 'What the animation is called; by itself as the clip, with a number if the file has one of that name' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -l open-anyway -d 'Read the model even if it requires extensions, or a minor version of glTF, that are unknown here'
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -l allow-outside -d 'Open files that the model names outside of its own folder, too (never from the net)'
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -l retarget -d 'Turn the clips of --clips-from into the model\'s own rest pose, and scale their steps to its size'
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -l in-place -d 'Leave out where the clip goes over the ground; what turns on the spot goes on turning'
complete -c rigscope -n "__fish_rigscope_using_subcommand bake" -s h -l help -d 'Print help'
complete -c rigscope -n "__fish_rigscope_using_subcommand info" -l open-anyway -d 'Read the model even if it requires extensions, or a minor version of glTF, that are unknown here'
complete -c rigscope -n "__fish_rigscope_using_subcommand info" -l allow-outside -d 'Open files that the model names outside of its own folder, too (never from the net)'
complete -c rigscope -n "__fish_rigscope_using_subcommand info" -l json -d 'Print JSON'
complete -c rigscope -n "__fish_rigscope_using_subcommand info" -s h -l help -d 'Print help'
complete -c rigscope -n "__fish_rigscope_using_subcommand compare" -l tolerance -d 'What may differ: lengths in the world as a part of the first model\'s size, rotations in radians, scales as a part of themselves, weights, durations in seconds, texels, and what else has numbers, those above 1 as a part of them' -r
complete -c rigscope -n "__fish_rigscope_using_subcommand compare" -l open-anyway -d 'Read the model even if it requires extensions, or a minor version of glTF, that are unknown here'
complete -c rigscope -n "__fish_rigscope_using_subcommand compare" -l allow-outside -d 'Open files that the model names outside of its own folder, too (never from the net)'
complete -c rigscope -n "__fish_rigscope_using_subcommand compare" -l json -d 'Print JSON'
complete -c rigscope -n "__fish_rigscope_using_subcommand compare" -s h -l help -d 'Print help'
complete -c rigscope -n "__fish_rigscope_using_subcommand check" -l allow-outside -d 'Open files that a model names outside of its own folder, too (never from the net)'
complete -c rigscope -n "__fish_rigscope_using_subcommand check" -l open-anyway -d 'Check models that require unknown extensions, which is done by itself: for those who give it to all commands'
complete -c rigscope -n "__fish_rigscope_using_subcommand check" -l motion -d 'Warn of what is odd in the motion of clips, too: nodes that jump or shake, feet or hands that slide while they stand'
complete -c rigscope -n "__fish_rigscope_using_subcommand check" -l json -d 'Print JSON'
complete -c rigscope -n "__fish_rigscope_using_subcommand check" -l strict -d 'Exit with 1 if there are warnings'
complete -c rigscope -n "__fish_rigscope_using_subcommand check" -s h -l help -d 'Print help'
complete -c rigscope -n "__fish_rigscope_using_subcommand completions" -s h -l help -d 'Print help'
complete -c rigscope -n "__fish_rigscope_using_subcommand manual" -s h -l help -d 'Print help'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "render" -d 'Draw pictures of models: still, moving, or many in one call'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "pose" -d 'Print the pose of a model at a time, as JSON'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "bake" -d 'Save a model with one more animation, as it is played: of another file, retargeted, in place, or all clips at once'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "info" -d 'Print what is in a file'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "compare" -d 'Compare two models: nodes, meshes, materials and their pictures, the poses of all clips; exit code 1 if they differ'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "check" -d 'Print what is wrong with files'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "completions" -d 'Print what a shell needs to complete the command line'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "manual" -d 'Write the pages of the manual'
complete -c rigscope -n "__fish_rigscope_using_subcommand help; and not __fish_seen_subcommand_from render pose bake info compare check completions manual help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
