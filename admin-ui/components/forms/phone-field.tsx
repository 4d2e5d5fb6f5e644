import { TextInput, type TextInputProps } from '@mantine/core'
import { say } from '../../lib/text/words.ts'

/** A field for a phone number in its international form, however it is spaced. */
export const PhoneField = (props: Omit<TextInputProps, 'type'>) => (
  <TextInput
    label={say('field.phone')}
    type="tel"
    inputMode="tel"
    autoComplete="off"
    placeholder={say('fields.phone.placeholder')}
    {...props}
  />
)
