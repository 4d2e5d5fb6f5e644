import { say } from '../text/words.ts'
import { notify } from './notify.tsx'

/** The server is asked again after this time, in milliseconds. */
const AGAIN = 3000
let watching = false

/** Returns whether the server answers now. */
export const serverAnswers = (): Promise<boolean> =>
  fetch('/health', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Asks a server that does not answer until it does, and then says so; once, however many changes were lost. */
export const watchServer = async (): Promise<void> => {
  if (watching || (await serverAnswers())) return
  watching = true
  do await new Promise((resolve) => setTimeout(resolve, AGAIN))
  while (!(await serverAnswers()))
  watching = false
  // At the bottom the notice would cover the button that the reader wants to press again.
  notify(say('parts.http.back'), 'top-center')
}
