import { Select } from '@mantine/core'
import { isLanguage } from '../../../../src/words/language.ts'
import { errorText } from '../../../components/page/error-state.tsx'
import { Section } from '../../../components/page/section.tsx'
import { notifyFailure } from '../../../lib/api/notify.tsx'
import { LANGUAGE_CHOICES, language, speak } from '../../../lib/text/language.ts'
import { setMyLanguage } from '../auth/auth.api.ts'
import { say } from './words.ts'

/** Sets the language of the console, of the server's answers and of mail to the reader. */
export const LanguageSection = () => {
  const choose = (chosen: string | null): void => {
    if (chosen === null || !isLanguage(chosen)) return
    setMyLanguage(chosen).then(
      () => speak(chosen),
      (error: unknown) => notifyFailure(errorText(error)),
    )
  }
  return (
    <Section title={say('security.language.title')} description={say('security.language.about')}>
      <Select
        aria-label={say('security.language.title')}
        data={LANGUAGE_CHOICES}
        value={language}
        onChange={choose}
        allowDeselect={false}
        maw={280}
      />
    </Section>
  )
}
