/** Failures are printed whole up to this many characters in all, and further ones in two lines each. */
const WHOLE_LENGTH = 12_000
/** So many lines of a failure are printed before and after its error: its code is before, and the difference after. */
const [BEFORE, BEHIND] = [9, 40]

const RULE = /^-{20,}$/
const REASON = /^(\w*Error|error): /

/** Shortens the lines of one failure, before which the test may have printed many lines. */
function shorten(lines: readonly string[]): string[] {
  const at = lines.findLastIndex((line) => REASON.test(line))
  const from = lines.slice(Math.max(0, at - BEFORE))
  return from.length <= BEFORE + BEHIND ? from : [...from.slice(0, BEFORE + BEHIND - 4), '…', ...from.slice(-4)]
}

/** Collects from chunks of text what Bun's runner printed about each test or file that failed. */
export function collectFailures(): { read: (text: string) => void; all: () => string[][] } {
  let rest = ''
  let lines: string[] = []
  const found: string[][] = []
  const close = (): void => {
    found.push(shorten(lines))
    lines = []
  }
  let isSummary = false
  const take = (line: string): void => {
    // at its end the runner prints the names of all failures again
    if (/^\d+ tests failed:$/.test(line)) isSummary = true
    if (isSummary) return
    // the runner reports a time limit only after the name of the test
    if (/^ {2}\^ this test timed out/.test(line)) return void found.at(-1)?.push(line)
    lines.push(line)
    if (/^\((pass|skip|todo)\)/.test(line)) lines = []
    // an error outside of any test has no name, and is between two rules
    else if (line.startsWith('# Unhandled error')) lines = [line]
    else if (line.startsWith('(fail)')) close()
    else if (RULE.test(line) && lines[0]?.startsWith('# Unhandled') && lines.length > 2) close()
  }
  return {
    read: (text) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) take(line)
    },
    all: () => found,
  }
}

/** Prints each failure with its reason: the first ones whole, and of the others their names and errors. */
export function printFailures(failures: readonly string[][]): string {
  let length = 0
  return failures
    .map((lines) => {
      const whole = lines.join('\n').trim()
      length += whole.length
      if (length <= WHOLE_LENGTH) return `${whole}\n\n`
      return `${lines.filter((line) => REASON.test(line) || /^(\(fail\)| {2}\^ this|# )/.test(line)).join('\n')}\n\n`
    })
    .join('')
}
