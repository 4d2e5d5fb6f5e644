import { readTable } from '../../../platform/embedded.ts'

const LAST_ASCII = 0x7f

let lines: readonly string[] | undefined
/** The blocks of 256 code points that were loaded so far. */
const blocks: (readonly string[])[] = []

function readBlock(block: number): readonly string[] {
  lines ??= readTable('latin-letters').split('\n')
  const entries = lines[block]?.split('\t') ?? []
  blocks[block] = entries
  return entries
}

/** Writes a text of any script in ASCII, as the package any-ascii does; characters without equivalent are left out. */
export function toAscii(text: string): string {
  let result = ''
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point <= LAST_ASCII) result += character
    else {
      const block = point >>> 8
      result += (blocks[block] ?? readBlock(block))[point & 0xff] ?? ''
    }
  }
  return result
}
