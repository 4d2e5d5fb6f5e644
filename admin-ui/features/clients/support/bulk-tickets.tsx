import { Radio, Select, Stack, Text } from '@mantine/core'
import { IconCheck, IconFlag, IconUserShare } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { BulkForm, useBulkAct } from '../../../components/lists/bulk-form.tsx'
import type { Asked, ListAct } from '../../../components/lists/list-acts.tsx'
import { UndoBar } from '../../../components/lists/undo-bar.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { assignEach, closeEach, type Done, listChanged, prioritiseEach, takeBack } from './bulk-tickets.api.ts'
import type { NamedTicket } from './support.api.ts'
import { PRIORITIES } from './ticket-words.tsx'
import { say } from './words.ts'

const FORMS = { assign: AssignTickets, close: CloseTickets, priority: PrioritiseTickets } as const

/** The chosen tickets, and the act that was asked for them. */
export type ChosenTickets = Asked<NamedTicket> & { act: keyof typeof FORMS }

/** Lists the acts on one or several tickets. */
export const ticketActs = (
  onAsk: (chosen: ChosenTickets) => void,
  onReply: (id: string) => void,
): readonly ListAct<NamedTicket>[] => {
  const ask = (act: ChosenTickets['act']) => (asked: Asked<NamedTicket>) => onAsk({ act, ...asked })
  return [
    { hotkey: 'a', label: say('support.bulk.assign'), icon: <IconUserShare size={14} />, run: ask('assign') },
    {
      hotkey: 'e',
      label: say('support.bulk.resolve'),
      icon: <IconCheck size={14} />,
      when: ({ status }) => status !== 'closed',
      run: ask('close'),
    },
    { label: say('support.bulk.priority'), icon: <IconFlag size={14} />, run: ask('priority') },
    {
      hotkey: 'r',
      label: say('support.bulk.reply'),
      single: true,
      run: ({ rows: [ticket] }) => ticket && onReply(ticket.id),
    },
  ]
}

type BulkProps = { chosen: Asked<NamedTicket>; onChanged: (done: Done) => void; onClose: () => void }

/** Opens the form of the act that was asked for. */
export const BulkTickets = ({ chosen, ...rest }: BulkProps & { chosen: ChosenTickets }) => {
  const Form = FORMS[chosen.act]
  return <Form chosen={chosen} {...rest} />
}

type UndoProps = { done: Done; onDone: () => void }

const DONE = {
  assign: 'support.bulk.assign.done',
  close: 'support.bulk.close.done',
  priority: 'support.bulk.priority.done',
} as const

/** Offers to give tickets back to their former assignees or priorities, or to open closed ones again. */
export const UndoTickets = ({ done, onDone }: UndoProps) => {
  const count = done.tickets.length
  return (
    <UndoBar
      text={say(DONE[done.act], { count })}
      {...(done.act === 'close' && { label: say('support.reopen.submit') })}
      resource="support"
      undo={(watch) => takeBack(done, watch)}
      report={(results) => {
        const back = results.filter(({ ok }) => ok).length
        const counts = { count: back, failed: results.length - back }
        return done.act === 'close'
          ? say('support.bulk.close.reopened', counts)
          : say('support.bulk.assign.undone', counts)
      }}
      getName={(id) => done.tickets.find((ticket) => ticket.id === id)?.name ?? id}
      onDone={onDone}
    />
  )
}

const findName =
  (rows: readonly NamedTicket[]) =>
  (id: string): string =>
    rows.find((row) => row.id === id)?.subject ?? id

/** Assigns the chosen tickets to one colleague, by default the reader, or to none. */
function AssignTickets({ chosen, onChanged, onClose }: BulkProps) {
  const { rows, settle } = chosen
  const me = useMe()
  const staff = useStaff()
  const bulk = useBulkAct({
    initialValues: { assignedTo: me.id },
    send: ({ assignedTo }, watch) => assignEach(rows, assignedTo || null, watch),
    resource: 'support',
    settle,
    onDone: (results) => onChanged({ act: 'assign', tickets: listChanged(rows, results) }),
    onClose,
  })
  const { form } = bulk.state
  const { assignedTo } = form.getValues()
  const same = rows.filter((row) => row.assignedTo === (assignedTo || null)).length
  return (
    <BulkForm
      bulk={bulk}
      title={say('support.bulk.assign.title', { count: rows.length })}
      submitLabel={say('support.bulk.assign')}
      done={say('support.bulk.assigned')}
      getName={findName(rows)}
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
        {...form.getInputProps('assignedTo')}
      />
      {same > 0 && (
        <Text size="xs" c="dimmed">
          {say('support.bulk.assign.same', { count: same })}
        </Text>
      )}
    </BulkForm>
  )
}

const isOpen = ({ status }: NamedTicket): boolean => status === 'open' || status === 'pending'

type Closing = 'resolved' | 'closed'

/**
 * Marks the chosen tickets as resolved, or closes them for good; those that already are resolved or closed are left
 * out.
 */
function CloseTickets({ chosen, onChanged, onClose }: BulkProps) {
  const { rows, settle } = chosen
  const [as, setAs] = useState<Closing>('resolved')
  const fit = rows.filter((row) => (as === 'resolved' ? isOpen(row) : row.status !== 'closed'))
  const left = rows.length - fit.length
  const bulk = useBulkAct({
    initialValues: { as: '' },
    validate: { as: () => (fit.length === 0 ? say('support.bulk.close.none') : null) },
    send: (_values, watch) => closeEach(fit, as, watch),
    resource: 'support',
    settle,
    onDone: (results) => onChanged({ act: 'close', tickets: listChanged(fit, results) }),
    onClose,
  })
  return (
    <BulkForm
      bulk={bulk}
      title={say('support.bulk.close.title', { count: fit.length })}
      submitLabel={as === 'resolved' ? say('support.resolve.title') : say('support.close.action')}
      done={as === 'resolved' ? say('support.resolved') : say('support.clock.closed')}
      getName={findName(rows)}
      onClose={onClose}
    >
      <HowClosed as={as} onChange={setAs} error={bulk.state.form.getInputProps('as').error} />
      {left > 0 && (
        <Text size="xs" c="dimmed">
          {say('support.bulk.close.left', { count: left })}
        </Text>
      )}
    </BulkForm>
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

const isPriority = (text: string): text is NamedTicket['priority'] => PRIORITIES.some(({ value }) => value === text)

/** Gives the chosen tickets another priority; those that have it already, and closed ones, are left out. */
function PrioritiseTickets({ chosen, onChanged, onClose }: BulkProps) {
  const { rows, settle } = chosen
  const pickFit = (priority: string): NamedTicket[] =>
    rows.filter((row) => row.status !== 'closed' && row.priority !== priority)
  const offered = PRIORITIES.filter(({ value }) => pickFit(value).length > 0)
  const usual = offered.find(({ value }) => value === 'high') ?? offered[0]
  const bulk = useBulkAct({
    initialValues: { priority: usual?.value ?? 'high' },
    validate: { priority: (text) => (pickFit(text).length === 0 ? say('support.bulk.priority.none') : null) },
    send: async ({ priority }, watch) =>
      isPriority(priority) ? prioritiseEach(pickFit(priority), priority, watch) : [],
    resource: 'support',
    settle,
    onDone: (results) => onChanged({ act: 'priority', tickets: listChanged(rows, results) }),
    onClose,
  })
  const { form } = bulk.state
  return (
    <BulkForm
      bulk={bulk}
      title={say('support.bulk.priority.title', { count: pickFit(form.getValues().priority).length })}
      submitLabel={say('support.bulk.priority.submit')}
      done={say('common.done')}
      getName={findName(rows)}
      onClose={onClose}
    >
      <Select
        label={say('support.fields.priority')}
        description={say('support.bulk.priority.about')}
        data={offered}
        allowDeselect={false}
        data-autofocus
        {...form.getInputProps('priority')}
      />
    </BulkForm>
  )
}
