import { Select } from '@mantine/core'
import { Section } from '../../../components/page/section.tsx'
import { LANGUAGE_CHOICES, language } from '../../../lib/text/language.ts'
import { chooseLanguage } from '../auth/choose-language.ts'
import { say } from './words.ts'

/** Sets the language of the console, of the server's answers and of mail to the reader. */
export const LanguageSection = () => (
  <Section title={say('security.language.title')} description={say('security.language.about')}>
    <Select
      aria-label={say('security.language.title')}
      data={LANGUAGE_CHOICES}
      value={language}
      onChange={chooseLanguage}
      allowDeselect={false}
      maw={280}
    />
  </Section>
)
