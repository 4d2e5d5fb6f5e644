/** The heads of a file are far shorter than this: a quote that is never closed is not searched to the end. */
const FIRST_RECORD = 200_000

/** Returns the separator of the columns from the file's first line, by the server's rule. */
const guessSeparator = (text: string): string => {
  const [first = ''] = text.split(/\r?\n/, 1)
  const count = (mark: string): number => first.split(mark).length
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

/** Returns the text of a cell; a quoted one keeps its blanks, as on the server. */
const toCell = (text: string, wasQuoted: boolean): string => (wasQuoted ? text : text.trimEnd())

/**
 * Returns the heads of a CSV file, which are the cells of its first record: with quotes, by comma, semicolon or tab.
 * They are read as the server reads them, so that both use the same names.
 */
export const csvHeads = (file: string): string[] => {
  const text = file.slice(0, FIRST_RECORD).trimStart()
  const separator = guessSeparator(file.slice(0, FIRST_RECORD))
  const heads: string[] = []
  let cell = ''
  let isQuoted = false
  let wasQuoted = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text.charAt(index + 1) === '"') {
        cell += char
        index++
      } else isQuoted = false
    } else if (char === '\n' || char === '\r') break
    else if (char === separator) {
      heads.push(toCell(cell, wasQuoted))
      cell = ''
      wasQuoted = false
    } else if (char === '"' && cell === '') {
      isQuoted = true
      wasQuoted = true
    } else if (!wasQuoted && (cell !== '' || !/\s/.test(char))) cell += char
  }
  return text === '' ? [] : [...heads, toCell(cell, wasQuoted)]
}

/** Returns the named columns, each name once, since the server knows columns only by their names. */
export const namedColumns = (heads: readonly string[]): string[] => [...new Set(heads.filter(Boolean))]
