import { Button, Drawer, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormModal } from '../../components/form-modal.tsx'
import { Facts } from '../../components/record-page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { formatDate, groupDigits } from '../../lib/format.ts'
import { notify } from '../../lib/notify.tsx'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { type Deposit, fetchDeposits } from '../deposits/deposits.api.ts'
import { useStaff } from '../users/users.api.ts'
import { amountOf, REASONS, STATES, saidOf } from './exception-words.ts'
import { closeException, type Exception } from './gateways.api.ts'

type ExceptionDrawerProps = { exception: Exception; onClose: () => void }

const DepositLink = ({ id }: { id: string }) => (
  <Link to="/deposits/$id" params={{ id }} className="text-link">
    {id}
  </Link>
)

/** One message of a gateway that was not booked, and its closing by a person. */
export const ExceptionDrawer = ({ exception, onClose }: ExceptionDrawerProps) => {
  const { nameOf } = useStaff()
  const [closing, setClosing] = useState(false)
  const { depositId, traderId, state, closedAt, closedBy, closeReason, bookedByDepositId } = exception
  return (
    <Drawer opened onClose={onClose} title={`Payment ${exception.reference}`}>
      <Stack>
        <Facts
          items={[
            [
              'State',
              <StatusBadge key="state" status={state} label={STATES[state]} tone={state === 'open' ? 'wait' : 'off'} />,
            ],
            ['The gateway said', saidOf(exception)],
            ['Amount', amountOf(exception)],
            ['Why it was not booked', REASONS[exception.reason]],
            ['About deposit', depositId ? <DepositLink key="deposit" id={depositId} /> : undefined],
            [
              'Client',
              traderId ? (
                <Link key="trader" to="/traders/$id" params={{ id: traderId }} className="text-link">
                  Open the client
                </Link>
              ) : undefined,
            ],
            ['When', <When key="at" at={exception.createdAt} />],
            ['Closed by', closedAt ? (nameOf(closedBy) ?? 'A program') : undefined],
            ['Closed at', closedAt ? <When key="closed" at={closedAt} /> : undefined],
            ['Booked by deposit', bookedByDepositId ? <DepositLink key="booked" id={bookedByDepositId} /> : undefined],
            ['Reason', closeReason ?? undefined],
          ]}
        />
        {state === 'open' && (
          <>
            <Text size="sm" c="dimmed">
              Nothing was booked by this message. Find out what is true at the gateway, book it if money came, and close
              it here.
            </Text>
            <Group justify="flex-end">
              <Button onClick={() => setClosing(true)}>Close it</Button>
            </Group>
          </>
        )}
      </Stack>
      {closing && <CloseForm exception={exception} onClose={() => setClosing(false)} onDone={onClose} />}
    </Drawer>
  )
}

const label = ({ amount, currency, providerReference, createdAt, status }: Deposit): string =>
  [`${groupDigits(amount)} ${currency}`, providerReference, formatDate(createdAt), status.replaceAll('_', ' ')]
    .filter(Boolean)
    .join(' · ')

const CloseForm = ({ exception, onClose, onDone }: ExceptionDrawerProps & { onDone: () => void }) => {
  const refresh = useRefresh()
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 250)
  const { traderId } = exception
  const reload = (): void => {
    void refresh('gateways')
    onDone()
  }
  const state = useApiForm<{ reason: string; depositId: string | null }, Exception>({
    initialValues: { reason: '', depositId: null },
    validate: { reason: required('Say what became of the payment') },
    submit: ({ reason, depositId }) =>
      closeException(exception, { reason: reason.trim(), ...(depositId && { depositId }) }),
    onDone: () => {
      notify('Exception closed.')
      reload()
    },
  })
  // What was chosen stands in the field as its label, which is no search.
  const words = state.form.getValues().depositId ? '' : asked
  // Deposits of the client it is about; others are found by their reference or id.
  const found = useQuery({
    queryKey: ['deposits', 'pick', traderId, words],
    queryFn: () => fetchDeposits({ limit: 20, ...(words ? { q: words } : { traderId }) }),
    enabled: words !== '' || traderId !== null,
  })
  // What was found for other words must not be chosen for these.
  const current = words === '' || asked === text.trim()
  return (
    <FormModal
      state={state}
      title="Close this exception"
      submitLabel="Close it"
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Textarea
        label="Reason"
        description="What became of the payment; kept with the message"
        autosize
        minRows={2}
        data-autofocus
        {...state.form.getInputProps('reason')}
      />
      <Select
        label="Deposit that booked it"
        description="Leave it empty where no money came"
        placeholder="Reference or id"
        searchable
        clearable
        data={(current ? (found.data?.data ?? []) : []).map((deposit) => ({
          value: deposit.id,
          label: label(deposit),
        }))}
        searchValue={text}
        onSearchChange={setText}
        filter={({ options }) => options}
        nothingFoundMessage={found.isFetching || !current ? 'Searching…' : 'No deposit found'}
        {...state.form.getInputProps('depositId')}
      />
    </FormModal>
  )
}
