import { Stack } from '@mantine/core'
import { IconCheck, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { MoreMenu } from '../../../components/page/more-menu.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { ConfirmRate, RemoveRate } from './confirm-rate.tsx'
import { Converter } from './converter.tsx'
import { fetchRates, type Rate } from './fx.api.ts'
import { PastRates } from './past-rates.tsx'
import { RATE_COLUMNS } from './rate-columns.tsx'
import { RateForm } from './rate-form.tsx'
import { say } from './words.ts'

/** Builds the column of actions; only a rate of the firm itself can be removed. */
const actColumn = (on: Record<'confirm' | 'set' | 'remove', (rate: Rate) => void>): Column<Rate> => ({
  key: 'actions',
  title: '',
  align: 'right',
  width: 56,
  render: (rate) => (
    <MoreMenu
      label={say('fx.past.actions', { base: rate.base, quote: rate.quote })}
      actions={[
        rate.unconfirmed && {
          label: say('fx.confirm.action'),
          icon: <IconCheck size={16} />,
          onClick: () => on.confirm(rate),
        },
        { label: say('fx.set.action'), icon: <IconPencil size={16} />, onClick: () => on.set(rate) },
        rate.pool === 'tenant' && {
          label: say('fx.past.remove'),
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => on.remove(rate),
        },
      ]}
    />
  ),
})

/** Lists the exchange rates: those of the firm, and those of the common pool. */
export const RateList = () => {
  const isAdmin = useCan()('admin')
  const [editing, setEditing] = useState<{ rate?: Rate } | null>(null)
  const [confirming, setConfirming] = useState<Rate | null>(null)
  const [removing, setRemoving] = useState<Rate | null>(null)
  const edit = (rate: Rate): void => setEditing({ rate })
  const acts = actColumn({ confirm: setConfirming, set: edit, remove: setRemoving })
  const create = isAdmin && <NewButton onClick={() => setEditing({})}>{say('fx.set.title')}</NewButton>
  return (
    <Page title={say('fx.title')} subtitle={say('fx.about')} actions={create}>
      <Stack gap="lg">
        <Converter />
        <DataList
          id="fx"
          label={say('fx.title')}
          fetch={fetchRates}
          columns={isAdmin ? [...RATE_COLUMNS, acts] : RATE_COLUMNS}
          {...(isAdmin && { onOpen: edit })}
          plain
          empty={
            <EmptyState title={say('fx.empty.title')} action={create}>
              {say('fx.empty.about')}
            </EmptyState>
          }
        />
        <PastRates />
      </Stack>
      {editing && <RateForm {...editing} onClose={() => setEditing(null)} />}
      <ConfirmRate rate={confirming} onClose={() => setConfirming(null)} />
      <RemoveRate rate={removing} onClose={() => setRemoving(null)} />
    </Page>
  )
}
