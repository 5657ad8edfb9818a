_rigscope() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="rigscope"
                ;;
            rigscope,bake)
                cmd="rigscope__subcmd__bake"
                ;;
            rigscope,check)
                cmd="rigscope__subcmd__check"
                ;;
            rigscope,compare)
                cmd="rigscope__subcmd__compare"
                ;;
            rigscope,completions)
                cmd="rigscope__subcmd__completions"
                ;;
            rigscope,help)
                cmd="rigscope__subcmd__help"
                ;;
            rigscope,info)
                cmd="rigscope__subcmd__info"
                ;;
            rigscope,manual)
                cmd="rigscope__subcmd__manual"
                ;;
            rigscope,pose)
                cmd="rigscope__subcmd__pose"
                ;;
            rigscope,render)
                cmd="rigscope__subcmd__render"
                ;;
            rigscope__subcmd__help,bake)
                cmd="rigscope__subcmd__help__subcmd__bake"
                ;;
            rigscope__subcmd__help,check)
                cmd="rigscope__subcmd__help__subcmd__check"
                ;;
            rigscope__subcmd__help,compare)
                cmd="rigscope__subcmd__help__subcmd__compare"
                ;;
            rigscope__subcmd__help,completions)
                cmd="rigscope__subcmd__help__subcmd__completions"
                ;;
            rigscope__subcmd__help,help)
                cmd="rigscope__subcmd__help__subcmd__help"
                ;;
            rigscope__subcmd__help,info)
                cmd="rigscope__subcmd__help__subcmd__info"
                ;;
            rigscope__subcmd__help,manual)
                cmd="rigscope__subcmd__help__subcmd__manual"
                ;;
            rigscope__subcmd__help,pose)
                cmd="rigscope__subcmd__help__subcmd__pose"
                ;;
            rigscope__subcmd__help,render)
                cmd="rigscope__subcmd__help__subcmd__render"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        rigscope)
            opts="-h -V --crowd --compare --palette --variant --skinning --environment --environment-turn --environment-strength --key-light --no-shadows --lights-as-stated --exposure --tone --transparency --quality --open-anyway --allow-outside --wayland --help --version render pose bake info compare check completions manual help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --crowd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --compare)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --palette)
                    COMPREPLY=($(compgen -W "auto full compact" -- "${cur}"))
                    return 0
                    ;;
                --variant)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --skinning)
                    COMPREPLY=($(compgen -W "linear dual-quaternion" -- "${cur}"))
                    return 0
                    ;;
                --environment)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --environment-turn)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --environment-strength)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --key-light)
                    COMPREPLY=($(compgen -W "auto on off" -- "${cur}"))
                    return 0
                    ;;
                --exposure)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tone)
                    COMPREPLY=($(compgen -W "neutral aces agx none" -- "${cur}"))
                    return 0
                    ;;
                --transparency)
                    COMPREPLY=($(compgen -W "sorted weighted" -- "${cur}"))
                    return 0
                    ;;
                --quality)
                    COMPREPLY=($(compgen -W "full low" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__bake)
            opts="-o -h --open-anyway --allow-outside --output --clip --clips-from --retarget --in-place --fps --name --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --clip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --clips-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --fps)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --name)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__check)
            opts="-h --allow-outside --open-anyway --motion --json --strict --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__compare)
            opts="-h --open-anyway --allow-outside --tolerance --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --tolerance)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__completions)
            opts="-h --help bash elvish fish powershell zsh"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help)
            opts="render pose bake info compare check completions manual help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__bake)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__check)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__compare)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__completions)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__info)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__manual)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__pose)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__help__subcmd__render)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__info)
            opts="-h --open-anyway --allow-outside --json --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__manual)
            opts="-h --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__pose)
            opts="-h --open-anyway --allow-outside --scene --clip --clips-from --retarget --time --skinning --pose --save --as-clip --vertices --gpu --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --scene)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --clip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --clips-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --time)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --skinning)
                    COMPREPLY=($(compgen -W "linear dual-quaternion" -- "${cur}"))
                    return 0
                    ;;
                --pose)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --save)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --as-clip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        rigscope__subcmd__render)
            opts="-o -h --open-anyway --allow-outside --output --format --frames --fps --no-loop --turntable --sheet --out-dir --list --shard --scene --clip --clips-from --retarget --time --pose --compare --split --split-at --by-phase --variant --size --scale --crowd --palette --view --joint --weight-colors --skinning --skeleton --grid --wires --normals --environment --environment-turn --environment-strength --key-light --no-shadows --lights-as-stated --exposure --tone --transparency --quality --ground --background --transparent --blur --target --orbit --camera --fov --framing --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "png jpg webp gif apng" -- "${cur}"))
                    return 0
                    ;;
                --frames)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --fps)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --sheet)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --out-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --list)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --shard)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scene)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --clip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --clips-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --time)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --pose)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --compare)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --split)
                    COMPREPLY=($(compgen -W "side wipe overlay" -- "${cur}"))
                    return 0
                    ;;
                --split-at)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --variant)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --size)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scale)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --crowd)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --palette)
                    COMPREPLY=($(compgen -W "auto full compact" -- "${cur}"))
                    return 0
                    ;;
                --view)
                    COMPREPLY=($(compgen -W "lit wireframe faces base-color alpha vertex-color metallic roughness occlusion emissive clearcoat clearcoat-roughness sheen sheen-roughness specular specular-color transmission diffuse-transmission diffuse-transmission-color iridescence anisotropy normal geometric-normal tangent uv weights joints influences skinning-difference depth overdraw" -- "${cur}"))
                    return 0
                    ;;
                --joint)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --weight-colors)
                    COMPREPLY=($(compgen -W "heat viridis" -- "${cur}"))
                    return 0
                    ;;
                --skinning)
                    COMPREPLY=($(compgen -W "linear dual-quaternion" -- "${cur}"))
                    return 0
                    ;;
                --environment)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --environment-turn)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --environment-strength)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --key-light)
                    COMPREPLY=($(compgen -W "auto on off" -- "${cur}"))
                    return 0
                    ;;
                --exposure)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tone)
                    COMPREPLY=($(compgen -W "neutral aces agx none" -- "${cur}"))
                    return 0
                    ;;
                --transparency)
                    COMPREPLY=($(compgen -W "sorted weighted" -- "${cur}"))
                    return 0
                    ;;
                --quality)
                    COMPREPLY=($(compgen -W "full low" -- "${cur}"))
                    return 0
                    ;;
                --background)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --blur)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --target)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --orbit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --camera)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --fov)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "pose motion" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _rigscope -o nosort -o bashdefault -o default rigscope
else
    complete -F _rigscope -o bashdefault -o default rigscope
fi
