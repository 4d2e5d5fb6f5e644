import { Anchor, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useKeepFirst } from '../../../components/forms/copy-once.tsx'
import { FormBody } from '../../../components/forms/form-modal.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { noteRecoveryKeyKept, recoveryKeyQuery } from './system.api.ts'
import { say } from './words.ts'
import './system.css'

/** Picks three random places of the list of words, in ascending order, counted from 1. */
const pickPlaces = (count: number): number[] => {
  const places = Array.from({ length: count }, (_, index) => index + 1)
  const drawn = Array.from({ length: 3 }, () => places.splice(Math.floor(Math.random() * places.length), 1))
  return drawn.flat().sort((a, b) => a - b)
}

/** Returns the callback of a confirmation: it stores the new state of the key, and reports that it was noted. */
const useKept = (onDone: () => void): ((answer: Awaited<ReturnType<typeof noteRecoveryKeyKept>>) => void) => {
  const client = useQueryClient()
  return (answer) => {
    client.setQueryData(recoveryKeyQuery.queryKey, answer)
    notify(say('system.page.noted'))
    onDone()
  }
}

/** Asks for the words at three places of the list. */
const TypeBack = ({ count, onDone }: { count: number; onDone: () => void }) => {
  const [places] = useState(() => pickPlaces(count))
  const kept = useKept(onDone)
  const state = useApiForm({
    initialValues: { words: places.map((place) => ({ place, word: '' })) },
    validate: { words: { word: required(say('system.page.word_missing')) } },
    submit: ({ words }) =>
      noteRecoveryKeyKept({ words: words.map(({ place, word }) => ({ place, word: word.trim() })) }),
    onDone: kept,
  })
  return (
    <FormBody state={state} submitLabel={say('system.page.check')}>
      <Text size="sm">{say('system.page.type_back')}</Text>
      <div className="key-places">
        {places.map((place, index) => (
          <TextInput
            key={place}
            label={say('system.page.word_at', { place })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...state.form.getInputProps(`words.${index}.word`)}
          />
        ))}
      </div>
    </FormBody>
  )
}

/** Asks where the key is kept, instead of asking for words of it; the audit log keeps the answer. */
export const KeptElsewhere = ({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) => {
  const kept = useKept(onDone)
  const state = useApiForm({
    initialValues: { elsewhere: '' },
    validate: { elsewhere: required(say('system.page.elsewhere_missing')) },
    submit: noteRecoveryKeyKept,
    onDone: kept,
  })
  return (
    <FormBody state={state} submitLabel={say('system.page.elsewhere_send')} onCancel={onCancel}>
      <Textarea
        label={say('system.page.elsewhere_field')}
        description={say('system.page.elsewhere_about')}
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        {...state.form.getInputProps('elsewhere')}
      />
    </FormBody>
  )
}

/** Shows the words of the key and asks for the proof that they are kept; it blocks leaving the page before that. */
export const KeepKey = ({ words, onDone }: { words: readonly string[]; onDone: () => void }) => {
  const [step, setStep] = useState<'read' | 'type' | 'elsewhere'>('read')
  const warning = useKeepFirst(say('system.page.keep_first'))
  const elsewhere = (
    <Anchor component="button" type="button" size="sm" onClick={() => setStep('elsewhere')}>
      {say('system.page.elsewhere')}
    </Anchor>
  )
  if (step === 'elsewhere')
    return (
      <Stack>
        <KeptElsewhere onDone={onDone} onCancel={() => setStep('read')} />
        {warning}
      </Stack>
    )
  if (step === 'type')
    return (
      <Stack>
        <TypeBack count={words.length} onDone={onDone} />
        {warning}
        <Group gap="lg">
          <Anchor component="button" type="button" size="sm" onClick={() => setStep('read')}>
            {say('system.page.look_again')}
          </Anchor>
          {elsewhere}
        </Group>
      </Stack>
    )
  return (
    <Stack>
      <Text size="sm">{say('system.page.write_down')}</Text>
      <ol className="key-words" aria-label={say('system.page.words')}>
        {words.map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice in a list that never changes
          <li key={index}>{word}</li>
        ))}
      </ol>
      {warning}
      <Group className="no-print">
        <Button onClick={() => setStep('type')}>{say('system.page.written')}</Button>
        <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
          {say('system.page.print')}
        </Button>
        {elsewhere}
      </Group>
    </Stack>
  )
}
