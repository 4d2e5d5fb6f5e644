import { isLanguage } from '../../../../src/words/language.ts'
import { errorText } from '../../../components/page/error-state.tsx'
import { notifyFailure } from '../../../lib/api/notify.tsx'
import { speak } from '../../../lib/text/language.ts'
import { setMyLanguage } from './auth.api.ts'

/** Stores the language of the reader's console, answers and mail, and shows the page in it. */
export const chooseLanguage = (chosen: string | null): void => {
  if (chosen === null || !isLanguage(chosen)) return
  setMyLanguage(chosen).then(
    () => speak(chosen),
    (error: unknown) => notifyFailure(errorText(error)),
  )
}
