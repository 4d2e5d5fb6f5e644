import { Alert, Button, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { AccountLink } from '../../books/accounts/account-link.tsx'
import { Acknowledge } from '../../books/transfers/acknowledge.tsx'
import { useStaff } from '../../firm/users/users.api.ts'
import { InstructionState, KINDS, nameOutcome, showValue } from './instruction-words.tsx'
import { cancelInstruction, fetchTransfer, type Instruction } from './orders.api.ts'
import { say, tell } from './words.ts'

type InstructionDrawerProps = { instruction: Instruction; onClose: () => void }

/** Shows one instruction: what was asked, each try and each look, and what a person can still decide. */
export const InstructionDrawer = ({ instruction, onClose }: InstructionDrawerProps) => (
  <RecordDrawer opened onClose={onClose} title={KINDS[instruction.kind]}>
    <Stack gap="md">
      {instruction.state === 'unresolved' && <WhatToLookFor instruction={instruction} />}
      <InstructionFacts instruction={instruction} />
      {instruction.tries.length > 0 && <Tries instruction={instruction} />}
      <Decision instruction={instruction} onClose={onClose} />
    </Stack>
  </RecordDrawer>
)

const InstructionFacts = ({ instruction: row }: { instruction: Instruction }) => {
  const { findStaffName } = useStaff()
  const { accountId, transferId, endedAt, decidedBy } = row
  return (
    <Facts
      items={[
        [say('common.state'), <InstructionState key="state" state={row.state} />],
        [say('terminals.order.why'), row.why ?? undefined],
        [say('terminals.order.value'), showValue(row)],
        [say('terminals.record.login'), row.login ?? undefined],
        [say('terminals.order.number'), row.number ?? undefined],
        [say('terminals.order.reference'), row.reference],
        [
          say('common.account'),
          accountId === null ? undefined : (
            <AccountLink key="account" id={accountId}>
              {say('terminals.order.to_account')}
            </AccountLink>
          ),
        ],
        [
          say('terminals.order.transfer'),
          transferId === null ? undefined : (
            <Link key="transfer" to="/transfers" search={{ q: transferId }} className="text-link">
              {say('terminals.order.to_transfer')}
            </Link>
          ),
        ],
        [say('terminals.order.asked_by'), findStaffName(row.askedBy) ?? undefined],
        [say('terminals.order.asked'), <When key="asked" at={row.createdAt} as="second" />],
        [say('terminals.order.decided_by'), decidedBy === null ? undefined : findStaffName(decidedBy)],
        [say('terminals.order.ended'), endedAt === null ? undefined : <When key="ended" at={endedAt} as="second" />],
      ]}
    />
  )
}

const TRIED = { sent: say('terminals.order.tried.sent'), looked: say('terminals.order.tried.looked') }

const Tries = ({ instruction: { tries } }: { instruction: Instruction }) => (
  <section>
    <Title order={3} size="h5" mb="sm">
      {say('terminals.order.tries')}
    </Title>
    <Stack gap="xs">
      {tries.map(({ at, what, came, times }) => (
        <div key={`${at} ${what}`}>
          <div className="dim">
            {TRIED[what]} <When at={at} as="second" />
            {times > 1 && ` · ${say('terminals.order.times', { times })}`}
          </div>
          {nameOutcome(came)}
        </div>
      ))}
    </Stack>
  </section>
)

/** Says what to look for in the trading server’s own manager, where nobody knows whether it was done. */
const WhatToLookFor = ({ instruction }: { instruction: Instruction }) => {
  const { kind, amount, currency, login, reference } = instruction
  return (
    <Alert color="yellow" variant="light" title={say('terminals.order.look_title')}>
      {kind === 'balance'
        ? tell('terminals.order.look_money', {
            login: <b>{login}</b>,
            amount: <Money amount={amount ?? '0'} currency={currency} fw={600} />,
            reference: <code>{reference}</code>,
          })
        : kind === 'open'
          ? tell('terminals.order.look_open', { reference: <code>{reference}</code> })
          : tell('terminals.order.look_other', { login: <b>{login}</b> })}
    </Alert>
  )
}

/** Offers what a person may decide: a transfer is booked or refused, whatever else waits is taken back. */
const Decision = ({ instruction, onClose }: InstructionDrawerProps) => {
  const { kind, state } = instruction
  const waits = state === 'queued' || state === 'unresolved'
  if (!waits) return null
  if (kind === 'balance') return <TransferDecision instruction={instruction} onClose={onClose} />
  return <TakeBack instruction={instruction} onClose={onClose} />
}

const TransferDecision = ({ instruction: { transferId }, onClose }: InstructionDrawerProps) => {
  const id = transferId ?? ''
  const { data } = useQuery({ queryKey: ['transfers', 'one', id], queryFn: () => fetchTransfer(id) })
  return data ? <Acknowledge transfer={data} onDone={onClose} /> : null
}

const TakeBack = ({ instruction: { id, state }, onClose }: InstructionDrawerProps) => {
  const can = useCan()
  const refresh = useRefresh()
  const [asked, setAsked] = useState(false)
  const isQueued = state === 'queued'
  const label = say(isQueued ? 'terminals.order.cancel' : 'terminals.order.not_done')
  if (!can('operator')) return null
  const act = async (): Promise<void> => {
    await cancelInstruction(id)
    notify(say(isQueued ? 'terminals.order.cancelled' : 'terminals.order.noted'))
    void refresh('platform-instructions')
    onClose()
  }
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {label}
      </Button>
      <Confirm
        title={label}
        confirmLabel={label}
        danger
        opened={asked}
        onClose={() => setAsked(false)}
        onReload={() => void refresh('platform-instructions')}
        action={act}
      >
        {say(isQueued ? 'terminals.order.cancel_about' : 'terminals.order.not_done_about')}
      </Confirm>
    </>
  )
}
