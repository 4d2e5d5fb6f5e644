import { embedded, unpacked } from '../platform/embedded.ts'

const FROM_SOURCE = `The notices are collected when the executable is built, and this runs from source without a build.
Run \`bun run build\`, and then \`dist/brokerbase licenses\`.`

/** What others have made that is inside this program, with their terms. */
export const licenses = (): string => licensesOf(embedded().notices)

/** The text at a path that the build packed, with who says it; throws in words where nothing was built. */
export function licensesOf(path: string | null): string {
  if (path === null) throw new Error(FROM_SOURCE)
  return `Brokerbase holds software of others, under their terms:\n\n${unpacked(path)}`
}
