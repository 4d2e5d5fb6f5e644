/** Returns whether a text matches a pattern such as `EUR*`: a star is any text, and case does not matter. */
export function fitsWildcard(pattern: string, text: string): boolean {
  const parts = pattern.toUpperCase().split('*')
  const whole = text.toUpperCase()
  const [first = '', ...rest] = parts
  if (!whole.startsWith(first)) return false
  if (rest.length === 0) return whole === first
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = whole.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return whole.length - last.length >= at && whole.endsWith(last)
}
