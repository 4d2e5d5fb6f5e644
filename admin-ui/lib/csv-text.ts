/** The text of a CSV file. What is not UTF-8 is what Excel writes when it saves "CSV": Windows-1252. */
export const csvText = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
