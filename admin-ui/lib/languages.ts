const names = new Intl.DisplayNames(undefined, { type: 'language' })

/** `de` → "German", in the viewer's language; the code itself when nobody knows it. */
export const languageName = (code: string): string => {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
