import { Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { FormNotice } from '../../../components/forms/form-modal.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { sendByKey } from '../../../lib/forms/send-by-key.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { useScreenKeys } from '../../../lib/screen/screen-keys.ts'
import { useLatest } from '../../../lib/screen/use-latest.ts'
import type { TicketRecord } from './support.api.ts'
import { useReply } from './use-reply.ts'
import { say } from './words.ts'

const MODES = [
  { value: 'reply', label: say('support.reply.mode') },
  { value: 'note', label: say('common.internal_note') },
]

const describe = (internal: boolean, answerable: boolean): string => {
  if (internal) return say('support.note.about')
  return answerable ? say('support.reply.about') : say('support.reply.about_closed')
}

// Each ticket has its own form: text and kind must not move to the next ticket.
/** Writes a reply, after which the ticket waits for the client unless kept open, or a note that no client sees. */
export const ReplyForm = ({ ticket }: { ticket: TicketRecord }) => <Compose key={ticket.id} ticket={ticket} />

const Compose = ({ ticket }: { ticket: TicketRecord }) => {
  const refresh = useRefresh()
  const { state, kind, answerable } = useReply(ticket)
  const internal = kind.chosen === 'note'
  const editor = useRef<HTMLTextAreaElement>(null)
  useReplyKey(() => {
    if (answerable) kind.choose('reply')
    editor.current?.focus()
  })
  const sendAs = (keepOpen: boolean) => (): void => state.form.setFieldValue('keepOpen', keepOpen)
  return (
    <form
      onSubmit={state.onSubmit}
      onKeyDown={sendByKey}
      noValidate
      className="reply"
      data-internal={internal || undefined}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={say('support.message.mode_label')}
          data={MODES}
          value={kind.chosen}
          onChange={kind.choose}
          style={{ alignSelf: 'flex-start' }}
        />
        <Textarea
          ref={editor}
          label={internal ? say('common.internal_note') : say('support.reply.label')}
          description={describe(internal, answerable)}
          autosize
          minRows={3}
          maxRows={16}
          {...state.form.getInputProps('body')}
        />
        <FormNotice error={state.error} conflict={state.conflict} onReload={() => void refresh('support')} />
        <Group gap="xs">
          <Button type="submit" loading={state.pending} onClick={sendAs(false)}>
            {internal ? say('support.note.submit') : say('support.reply')}
          </Button>
          {!internal && (
            <Button type="submit" variant="default" disabled={state.pending} onClick={sendAs(true)}>
              {say('support.reply.submit_open')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** R begins a reply; so does the list, by an address with `?reply=1`. */
const useReplyKey = (begin: () => void): void => {
  const [search, setSearch] = useSearchParams()
  const start = useLatest(begin)
  useScreenKeys([{ key: 'r', does: say('support.reply'), act: begin }])
  const isAsked = search.reply !== undefined
  useEffect(() => {
    if (!isAsked) return
    setSearch({ reply: undefined })
    start()
  }, [isAsked, setSearch, start])
}
