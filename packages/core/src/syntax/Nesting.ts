/**
 * How deeply a text nests, at most, by its characters alone. The platform's stripper runs on a small stack and never
 * works again in the process once it has overflowed, so a text that could do that is refused before.
 */
const bracketLimit = 500
/** Right-recursive operators and heads in a row, such as `a => b => …`, `!!!…`, `A<A<…` or `a ? b : c ? …`. */
const chainLimit = 1000
const elseLimit = 1000

const tokens = /[([{]|[)\]}]|[,;]|=>|[!~?:=*+<-]|\b(?:else|if|for|while|typeof|await|void|new|delete|yield|extends)\b/g

export const nestsTooDeeply = (code: string): boolean => {
  let brackets = 0
  let chain = 0
  let elses = 0
  tokens.lastIndex = 0
  for (let match = tokens.exec(code); match !== null; match = tokens.exec(code)) {
    switch (match[0]) {
      case "(":
      case "[":
      case "{":
        brackets++
        break
      case ")":
      case "]":
        brackets--
        break
      case "}":
        brackets--
        chain = 0
        break
      case ",":
      case ";":
        chain = 0
        break
      case "else":
        elses++
        chain++
        break
      default:
        chain++
    }
    if (brackets > bracketLimit || chain > chainLimit || elses > elseLimit) return true
  }
  return false
}
