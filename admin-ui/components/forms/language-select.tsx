import { Select, type SelectProps } from '@mantine/core'
import { languageChoices } from '../../lib/text/languages.ts'
import { say } from '../../lib/text/words.ts'

type LanguageSelectProps = Omit<SelectProps, 'data' | 'onChange'> & { onChange?: (language: string) => void }

/** Chooses a language by name; the value is its code, or an empty text. */
export const LanguageSelect = ({ onChange, ...props }: LanguageSelectProps) => (
  <Select
    label={say('field.language')}
    searchable
    nothingFoundMessage={say('fields.language.empty')}
    data={languageChoices(typeof props.value === 'string' ? props.value : null)}
    onChange={(language) => onChange?.(language ?? '')}
    {...props}
    // An empty field has nothing to clear.
    clearable={Boolean(props.value)}
  />
)
