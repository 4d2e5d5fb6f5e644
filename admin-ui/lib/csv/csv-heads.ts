/** Heads that a file may have at most are far shorter: a quote that is never closed is not looked for to the end. */
const FIRST_RECORD = 200_000

/** What parts the columns, by the file's first line: the same guess as the server's. */
const separatorOf = (text: string): string => {
  const [first = ''] = text.split(/\r?\n/, 1)
  const count = (mark: string): number => first.split(mark).length
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

/** A quoted cell keeps its blanks, as at the server. */
const cellOf = (text: string, wasQuoted: boolean): string => (wasQuoted ? text : text.trimEnd())

/**
 * The heads of a CSV file, which are the cells of its first record: with quotes, by comma, semicolon or tab. They are
 * read as the server reads them, so that it knows each by the name that is shown.
 */
export const csvHeads = (file: string): string[] => {
  const text = file.slice(0, FIRST_RECORD).trimStart()
  const separator = separatorOf(file.slice(0, FIRST_RECORD))
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
      heads.push(cellOf(cell, wasQuoted))
      cell = ''
      wasQuoted = false
    } else if (char === '"' && cell === '') {
      isQuoted = true
      wasQuoted = true
    } else if (!wasQuoted && (cell !== '' || !/\s/.test(char))) cell += char
  }
  return text === '' ? [] : [...heads, cellOf(cell, wasQuoted)]
}

/** Columns of which something can be said: each name once, for the server knows them by nothing else. */
export const namedColumns = (heads: readonly string[]): string[] => [...new Set(heads.filter(Boolean))]
