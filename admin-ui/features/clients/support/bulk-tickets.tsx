import { Button, Radio, Select, Stack, Text } from '@mantine/core'
import { IconCheck, IconUserShare } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { BulkResults } from '../../../components/lists/bulk-results.tsx'
import { BulkAct } from '../../../components/lists/list-bulk.tsx'
import type { BulkResult } from '../../../components/lists/send-in-groups.ts'
import { UndoBar } from '../../../components/lists/undo-bar.tsx'
import { useBulk } from '../../../components/lists/use-bulk.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { assignEach, closeEach, type Done, listChanged, takeBack } from './bulk-tickets.api.ts'
import type { NamedTicket } from './support.api.ts'
import { say } from './words.ts'

/** The chosen tickets, and the action that was pressed for them; `clear` drops the choice. */
export type ChosenTickets = { act: 'assign' | 'close'; rows: NamedTicket[]; clear: () => void }

/** Shows the actions for the chosen tickets. */
export const TicketActs = ({ onAsk }: { onAsk: (act: ChosenTickets['act']) => void }) => (
  <>
    <BulkAct hotkey="A" leftSection={<IconUserShare size={14} />} onClick={() => onAsk('assign')}>
      {say('support.bulk.assign')}
    </BulkAct>
    <Button size="xs" variant="default" leftSection={<IconCheck size={14} />} onClick={() => onAsk('close')}>
      {say('support.bulk.close')}
    </Button>
  </>
)

type BulkProps = { chosen: ChosenTickets; onChanged: (done: Done) => void; onClose: () => void }

/** Opens the form of the pressed action. */
export const BulkTickets = (props: BulkProps) =>
  props.chosen.act === 'assign' ? <AssignTickets {...props} /> : <CloseTickets {...props} />

type UndoProps = { done: Done; onDone: () => void }

/** Offers to give assigned tickets back to their former assignees, or to open closed ones again. */
export const UndoTickets = ({ done, onDone }: UndoProps) => {
  const count = done.tickets.length
  return (
    <UndoBar
      {...(done.act === 'assign'
        ? { text: say('support.bulk.assign.done', { count }) }
        : { text: say('support.bulk.close.done', { count }), label: say('support.reopen.submit') })}
      resource="support"
      undo={(watch) => takeBack(done, watch)}
      report={(results) => {
        const back = results.filter(({ ok }) => ok).length
        const counts = { count: back, failed: results.length - back }
        return done.act === 'assign'
          ? say('support.bulk.assign.undone', counts)
          : say('support.bulk.close.reopened', counts)
      }}
      getName={(id) => done.tickets.find((ticket) => ticket.id === id)?.name ?? id}
      onDone={onDone}
    />
  )
}

type ResultsProps = Omit<BulkProps, 'onChanged'> & { title: string; done: string; results: readonly BulkResult[] }

const TicketResults = ({ chosen: { rows }, ...rest }: ResultsProps) => {
  const names = new Map(rows.map(({ id, subject }) => [id, subject]))
  return <BulkResults getName={(id) => names.get(id) ?? id} {...rest} />
}

const isAllDone = (results: readonly BulkResult[]): boolean => results.every(({ ok }) => ok)

/** Assigns the chosen tickets to one colleague, by default the reader, or to none. */
const AssignTickets = ({ chosen, onChanged, onClose }: BulkProps) => {
  const { rows, clear } = chosen
  const me = useMe()
  const staff = useStaff()
  const { state, results, progress } = useBulk({
    initialValues: { assignedTo: me.id },
    send: ({ assignedTo }, watch) => assignEach(rows, assignedTo || null, watch),
    resource: 'support',
    onResults: (answer) => {
      clear()
      onChanged({ act: 'assign', tickets: listChanged(rows, answer) })
      if (isAllDone(answer)) onClose()
    },
  })
  const { assignedTo } = state.form.getValues()
  const same = rows.filter((row) => row.assignedTo === (assignedTo || null)).length
  if (results) {
    const title = say('support.bulk.assigned')
    return <TicketResults {...{ chosen, onClose, results, title }} done={title} />
  }
  return (
    <FormModal
      state={state}
      title={say('support.bulk.assign.title', { count: rows.length })}
      submitLabel={say('support.bulk.assign')}
      opened
      onClose={onClose}
    >
      <Select
        label={say('common.to')}
        placeholder={say('support.fields.nobody')}
        data={staff.options}
        clearable
        searchable
        openOnFocus={false}
        data-autofocus
        {...state.form.getInputProps('assignedTo')}
      />
      {same > 0 && (
        <Text size="xs" c="dimmed">
          {say('support.bulk.assign.same', { count: same })}
        </Text>
      )}
      {progress}
    </FormModal>
  )
}

const isOpen = ({ status }: NamedTicket): boolean => status === 'open' || status === 'pending'

type Closing = 'resolved' | 'closed'

/**
 * Marks the chosen tickets as resolved, or closes them for good; those that already are resolved or closed are left
 * out.
 */
const CloseTickets = ({ chosen, onChanged, onClose }: BulkProps) => {
  const { rows, clear } = chosen
  const [as, setAs] = useState<Closing>('resolved')
  const fit = rows.filter((row) => (as === 'resolved' ? isOpen(row) : row.status !== 'closed'))
  const left = rows.length - fit.length
  const { state, results, progress } = useBulk({
    initialValues: { as: '' },
    validate: { as: () => (fit.length === 0 ? say('support.bulk.close.none') : null) },
    send: (_values, watch) => closeEach(fit, as, watch),
    resource: 'support',
    onResults: (answer) => {
      clear()
      onChanged({ act: 'close', tickets: listChanged(fit, answer) })
      if (isAllDone(answer)) onClose()
    },
  })
  if (results) {
    const title = as === 'resolved' ? say('support.resolved') : say('support.clock.closed')
    return <TicketResults {...{ chosen, onClose, results, title }} done={title} />
  }
  return (
    <FormModal
      state={state}
      title={say('support.bulk.close.title', { count: fit.length })}
      submitLabel={as === 'resolved' ? say('support.resolve.title') : say('support.close.action')}
      opened
      onClose={onClose}
    >
      <HowClosed as={as} onChange={setAs} error={state.form.getInputProps('as').error} />
      {left > 0 && (
        <Text size="xs" c="dimmed">
          {say('support.bulk.close.left', { count: left })}
        </Text>
      )}
      {progress}
    </FormModal>
  )
}

type HowClosedProps = { as: Closing; onChange: (as: Closing) => void; error: ReactNode }

const HowClosed = ({ as, onChange, error }: HowClosedProps) => (
  <Radio.Group
    label={say('support.bulk.close.how')}
    value={as}
    onChange={(value) => onChange(value === 'closed' ? 'closed' : 'resolved')}
    error={error}
  >
    <Stack gap="xs" mt={6}>
      <Radio
        value="resolved"
        label={say('support.resolve.title')}
        description={say('support.resolve.about')}
        data-autofocus
      />
      <Radio value="closed" label={say('support.close.action')} description={say('support.close.about')} />
    </Stack>
  </Radio.Group>
)
