/** Reads a whole number above zero from the command line of a script, as `--name 20`. Ends the script if it is none. */
export function numberOption(name: string, fallback: number): number {
  const index = process.argv.indexOf(`--${name}`)
  const number = index === -1 ? fallback : Number(process.argv[index + 1])
  if (Number.isInteger(number) && number > 0) return number
  process.stderr.write(`--${name} takes a whole number above zero\n`)
  process.exit(2)
}
