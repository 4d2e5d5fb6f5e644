import type { MouseEvent } from 'react'
import { say } from '../text/words.ts'
import { apiFetch } from './http.ts'
import { notifyFailure } from './notify.tsx'

/** Downloads a file and saves it under the name in the answer; throws a refusal. */
export const saveFile = async (address: string): Promise<void> => saveAnswer(await apiFetch(address))

/** Saves an answer as a file, under its name. */
export async function saveAnswer(answer: Response): Promise<void> {
  const [, name = 'file'] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = name
  link.click()
  // the browser reads it after the click
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Makes a link of a file use the API, which may ask for the password first; `save` may change the file. */
export const savesFile = (href: string, save: () => Promise<void> = () => saveFile(href)) => ({
  href,
  download: true,
  onClick: (event: MouseEvent): void => {
    event.preventDefault()
    save().catch((error: unknown) =>
      notifyFailure(error instanceof Error ? error.message : say('parts.http.unreachable')),
    )
  },
})
