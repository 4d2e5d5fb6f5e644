import { Stack, Text } from '@mantine/core'
import { IconCheck, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { groupDigits, humanize } from '../../lib/format.ts'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { Converter } from './converter.tsx'
import { fetchRates, type Rate, removeRate, setRate } from './fx.api.ts'
import { PastRates } from './past-rates.tsx'
import { RateForm } from './rate-form.tsx'

const COLUMNS: readonly Column<Rate>[] = [
  { key: 'pair', title: 'Pair', render: ({ base, quote }) => `${base} → ${quote}` },
  {
    key: 'rate',
    title: 'Rate',
    align: 'right',
    render: ({ rate }) => <span className="money">{groupDigits(rate)}</span>,
  },
  {
    key: 'pool',
    title: 'Whose',
    render: ({ pool }) =>
      pool === 'tenant' ? (
        <StatusBadge status="active" label="Your firm" tone="info" />
      ) : (
        <StatusBadge status="global" label="Common pool" tone="off" />
      ),
  },
  {
    key: 'state',
    title: 'State',
    render: (rate) => <RateState rate={rate} />,
  },
  { key: 'source', title: 'Source', wide: true, render: ({ source }) => humanize(source) },
  { key: 'asOf', title: 'Set', wide: true, render: ({ asOf }) => <When at={asOf} as="ago" /> },
]

/** Who has to say the same before an unusual rate holds. */
const RateState = ({ rate: { confirmation } }: { rate: Rate }) => {
  if (!confirmation) return <StatusBadge status="active" label="Holds" />
  const { by, from } = confirmation
  return (
    <>
      <StatusBadge status="pending" label="Unconfirmed" />
      <Text size="xs" c="dimmed">
        {by === 'another_person' ? (
          'Another person who sets rates has to send it too'
        ) : (
          <>
            The owner may confirm it, from <When at={from} />
          </>
        )}
      </Text>
    </>
  )
}

type Editing = { rate?: Rate } | null

/** What currencies are worth: the firm's own rates, and the common pool below them. */
export const RateList = () => {
  const can = useCan()
  const refresh = useRefresh()
  const [editing, setEditing] = useState<Editing>(null)
  const [confirming, setConfirming] = useState<Rate | null>(null)
  const [removing, setRemoving] = useState<Rate | null>(null)
  const actions: Column<Rate> = {
    key: 'actions',
    title: '',
    align: 'right',
    width: 56,
    render: (rate) => (
      <MoreMenu
        label={`Actions for ${rate.base} → ${rate.quote}`}
        actions={[
          rate.unconfirmed && {
            label: 'Confirm',
            icon: <IconCheck size={16} />,
            onClick: () => setConfirming(rate),
          },
          { label: 'Set anew', icon: <IconPencil size={16} />, onClick: () => setEditing({ rate }) },
          rate.pool === 'tenant' && {
            label: 'Remove',
            icon: <IconTrash size={16} />,
            danger: true,
            onClick: () => setRemoving(rate),
          },
        ]}
      />
    ),
  }
  const remove = async (): Promise<void> => {
    if (!removing) return
    await removeRate(removing)
    notify('Rate removed.')
    await refresh('fx')
  }
  const confirm = async (): Promise<void> => {
    if (!confirming) return
    const { base, quote, rate, pool } = confirming
    const source = confirming.source === 'manual' ? {} : { source: confirming.source }
    const { data } = await setRate({ base, quote, rate, ...source }, { global: pool === 'global', force: can('owner') })
    notify(
      data.some(({ unconfirmed }) => unconfirmed)
        ? 'It still waits: who sent it does not confirm it alone.'
        : 'Rate confirmed. It holds from now on.',
    )
    await refresh('fx')
  }
  const create = can('admin') && <NewButton onClick={() => setEditing({})}>Set a rate</NewButton>
  return (
    <Page
      title="Exchange rates"
      subtitle="Your firm’s rate counts before the common pool; a missing one is found by its inverse or through USD."
      actions={create}
    >
      <Stack gap="lg">
        <Converter />
        <DataList
          id="fx"
          label="Exchange rates"
          fetch={fetchRates}
          columns={can('admin') ? [...COLUMNS, actions] : COLUMNS}
          {...(can('admin') && { onOpen: (rate: Rate) => setEditing({ rate }) })}
          plain
          empty={
            <EmptyState title="No rates yet" action={create}>
              Without a rate, money cannot change its currency, and large amounts cannot be compared.
            </EmptyState>
          }
        />
        <PastRates />
      </Stack>
      {editing && <RateForm {...editing} onClose={() => setEditing(null)} />}
      <Confirm
        title="Confirm this rate"
        danger={false}
        confirmLabel="Confirm rate"
        opened={confirming !== null}
        onClose={() => setConfirming(null)}
        action={confirm}
      >
        {confirming && `1 ${confirming.base} = ${groupDigits(confirming.rate)} ${confirming.quote}`} is far from the
        price of the day before. Compare it with a source of your own first: from then on conversions and limits use it.
      </Confirm>
      <Confirm
        title="Remove this rate"
        confirmLabel="Remove rate"
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        action={remove}
      >
        {removing?.base} → {removing?.quote} is taken from the common pool from now on, if it has one. What was
        converted stays as it is.
      </Confirm>
    </Page>
  )
}
