import { Textarea, type TextareaProps } from '@mantine/core'
import { say } from '../../lib/text/words.ts'

/** Asks for a note that only colleagues read. */
export const NoteField = (props: TextareaProps) => (
  <Textarea label={say('common.note')} description={say('common.note.hint')} autosize minRows={2} {...props} />
)
