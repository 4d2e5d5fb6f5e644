import { Button, Group, Select, type SelectProps, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { errorText } from '../../../components/page/error-state.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { useDecided } from '../../../lib/forms/use-decided.ts'
import { formatDate, groupDigits } from '../../../lib/text/format.ts'
import { stateName } from '../../../lib/text/state-name.ts'
import { required } from '../../firm/auth/form-rules.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { type Deposit, fetchDeposits } from '../deposits/deposits.api.ts'
import { describeCallback, formatReportedAmount, REASONS, STATES } from './exception-words.ts'
import { closeException, type Exception } from './gateways.api.ts'
import { say } from './words.ts'

type ExceptionDrawerProps = { exception: Exception; onClose: () => void }

const DepositLink = ({ id }: { id: string }) => (
  <Link to="/deposits/$id" params={{ id }} className="text-link">
    {id}
  </Link>
)

/** Shows a message of a gateway that was not booked, and lets a person close it. */
export const ExceptionDrawer = ({ exception, onClose }: ExceptionDrawerProps) => {
  const { findStaffName } = useStaff()
  const [closing, setClosing] = useState(false)
  const { depositId, traderId, state, closedAt, closedBy, closeReason, bookedByDepositId } = exception
  return (
    <RecordDrawer opened onClose={onClose} title={say('gateways.payment', { reference: exception.reference })}>
      <Stack>
        <Facts
          items={[
            [
              say('common.state'),
              <StatusBadge key="state" status={state} label={STATES[state]} tone={state === 'open' ? 'wait' : 'off'} />,
            ],
            [say('gateways.exception.said'), describeCallback(exception)],
            [say('common.amount'), formatReportedAmount(exception)],
            [say('gateways.exception.reason'), REASONS[exception.reason]],
            [say('gateways.exception.deposit'), depositId ? <DepositLink key="deposit" id={depositId} /> : undefined],
            [
              say('common.client'),
              traderId ? (
                <Link key="trader" to="/traders/$id" params={{ id: traderId }} className="text-link">
                  {say('gateways.exception.client')}
                </Link>
              ) : undefined,
            ],
            [say('common.when'), <When key="at" at={exception.createdAt} />],
            [
              say('gateways.exception.closed_by'),
              closedAt ? (findStaffName(closedBy, closedAt) ?? say('common.program')) : undefined,
            ],
            [say('gateways.exception.closed_at'), closedAt ? <When key="closed" at={closedAt} /> : undefined],
            [
              say('gateways.exception.booked_by'),
              bookedByDepositId ? <DepositLink key="booked" id={bookedByDepositId} /> : undefined,
            ],
            [say('common.reason'), closeReason ?? undefined],
          ]}
        />
        {state === 'open' && (
          <>
            <Text size="sm" c="dimmed">
              {say('gateways.exception.about')}
            </Text>
            <Group justify="flex-end">
              <Button onClick={() => setClosing(true)}>{say('gateways.close.action')}</Button>
            </Group>
          </>
        )}
      </Stack>
      {closing && <CloseForm exception={exception} onClose={() => setClosing(false)} onDone={onClose} />}
    </RecordDrawer>
  )
}

const label = ({ amount, currency, providerReference, createdAt, status }: Deposit): string =>
  [`${groupDigits(amount)} ${currency}`, providerReference, formatDate(createdAt), stateName(status)]
    .filter(Boolean)
    .join(' · ')

type CloseFormProps = ExceptionDrawerProps & { onDone: () => void }

const useCloseForm = ({ exception, onDone }: Pick<CloseFormProps, 'exception' | 'onDone'>) => {
  const { reload, done } = useDecided('gateways', onDone)
  const state = useApiForm<{ reason: string; depositId: string | null }, Exception>({
    initialValues: { reason: '', depositId: null },
    validate: { reason: required(say('gateways.close.reason_required')) },
    submit: ({ reason, depositId }) =>
      closeException(exception, { reason: reason.trim(), ...(depositId && { depositId }) }),
    onDone: () => done(say('gateways.close.done')),
  })
  return { state, reload }
}

const CloseForm = ({ exception, onClose, onDone }: CloseFormProps) => {
  const { state, reload } = useCloseForm({ exception, onDone })
  return (
    <FormModal
      state={state}
      title={say('gateways.close.title')}
      submitLabel={say('gateways.close.action')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      <Textarea
        label={say('common.reason')}
        description={say('gateways.close.reason_hint')}
        autosize
        minRows={2}
        data-autofocus
        {...state.form.getInputProps('reason')}
      />
      <DepositField
        traderId={exception.traderId}
        isChosen={state.form.getValues().depositId !== null}
        {...state.form.getInputProps('depositId')}
      />
    </FormModal>
  )
}

type DepositFieldProps = Omit<SelectProps, 'data'> & { traderId: string | null; isChosen: boolean }

/** Finds the deposit that booked a payment: it offers those of the client, and others by their reference or id. */
const DepositField = ({ traderId, isChosen, ...field }: DepositFieldProps) => {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 250)
  // A chosen deposit has its label in the field, which is not a text to search for.
  const words = isChosen ? '' : asked
  const found = useQuery({
    queryKey: ['deposits', 'pick', traderId, words],
    queryFn: () => fetchDeposits({ limit: 20, ...(words ? { q: words } : { traderId }) }),
    enabled: words !== '' || traderId !== null,
  })
  // The results of an earlier search text must not be chosen for this one.
  const current = words === '' || asked === text.trim()
  const foundNothing = found.error ? errorText(found.error) : say('gateways.close.deposit_empty')
  return (
    <Select
      label={say('gateways.close.deposit_label')}
      description={say('gateways.close.deposit_hint')}
      placeholder={say('gateways.close.deposit_placeholder')}
      searchable
      clearable
      data={(current ? (found.data?.data ?? []) : []).map((deposit) => ({
        value: deposit.id,
        label: label(deposit),
      }))}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching || !current ? say('common.searching') : foundNothing}
      {...field}
    />
  )
}
