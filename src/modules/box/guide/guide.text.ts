import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Returns a Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => escapeCell(String(cell))).join(' | ')} |`)
    .join('\n')

/** Returns a block of code. */
export const block = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
export const json = (value: unknown): string => block('json', JSON.stringify(value, null, 2))
export const code = (text: string): string => `\`${text}\``

const UNITS = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
] as const

/** Returns a duration in the largest unit that divides it: 5 minutes, 1 day. */
export function duration(ms: number): string {
  const [size, name] = UNITS.find(([unit]) => ms >= unit && ms % unit === 0) ?? [1, 'millisecond']
  const count = ms / size
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
