import { embedded, unpacked } from '../platform/embedded.ts'

const FROM_SOURCE = `The notices are collected when the executable is built, and this runs from source without a build.
Run \`bun run build\`, and then \`dist/brokerbase licenses\`.`

/** Returns the licences of other software inside this program. */
export const licenses = (): string => readLicenses(embedded().notices)

/** Returns the licences that the build packed at a path; throws a sentence if nothing was built. */
export function readLicenses(path: string | null): string {
  if (path === null) throw new Error(FROM_SOURCE)
  return `Brokerbase holds software of others, under their terms:\n\n${unpacked(path)}`
}
