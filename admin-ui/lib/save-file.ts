import { apiFetch } from './http.ts'

/** Saves what an address answers as a file; a refusal is thrown, not saved. */
export async function saveFile(address: string, name: string): Promise<void> {
  const answer = await apiFetch(address)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = name
  link.click()
  // the browser reads it after the click
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
