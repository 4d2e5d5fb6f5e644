import { Checkbox, Select, Text, Textarea, TextInput } from '@mantine/core'
import { FormDrawer } from '../../components/form-modal.tsx'
import { AmountField } from '../../components/money-fields.tsx'
import { compareDecimal, isDecimal } from '../../lib/decimal.ts'
import { notify } from '../../lib/notify.ts'
import { useCan } from '../../lib/session.ts'
import { useApiForm } from '../../lib/use-api-form.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { required } from '../auth/rules.ts'
import { ConversionPreview } from '../fx/conversion-preview.tsx'
import { TraderPicker } from '../traders/trader-picker.tsx'
import { type End, endOptions, useEnds } from './ends.ts'
import { createTransfer } from './transfers.api.ts'

type CreateTransferProps = { trader?: { id: string; name: string }; onClose: () => void }

const side = (name: 'from' | 'to', end: End) =>
  end.kind === 'wallet' ? { [`${name}WalletId`]: end.id } : { [`${name}AccountId`]: end.id }

/** Moves money between wallets, or between a wallet and a trading account. */
export const CreateTransfer = ({ trader, onClose }: CreateTransferProps) => {
  const can = useCan()
  const refresh = useRefresh()
  const state = useApiForm({
    initialValues: {
      traderId: trader?.id ?? '',
      from: '',
      elsewhere: false,
      otherTraderId: '',
      to: '',
      amount: '',
      note: '',
    },
    validate: {
      traderId: required('Choose a trader'),
      from: required('Choose where the money is'),
      to: required('Choose where it goes'),
      amount: (text: string) =>
        isDecimal(text) && compareDecimal(text, '0') > 0 ? null : 'Enter an amount such as 1250.00',
    },
    submit: async ({ amount, note }) => {
      if (!source || !target) return
      await createTransfer({
        ...side('from', source),
        ...side('to', target),
        amount,
        ...(note.trim() && { note: note.trim() }),
      })
    },
    onDone: () => {
      notify('Transferred.')
      void refresh('transfers', 'wallets', 'accounts')
      onClose()
    },
  })
  const field = state.form.getInputProps
  const { traderId, otherTraderId, elsewhere, from, to, amount } = state.form.getValues()
  const own = useEnds(traderId)
  const others = useEnds(elsewhere ? otherTraderId : '')
  const manager = can('manager')
  // Money leaves a trading account only by a manager's hand.
  const sources = own.ends.filter(({ kind }) => kind === 'wallet' || manager)
  const source = sources.find(({ value }) => value === from)
  const targets = (elsewhere ? others.ends : own.ends).filter(
    (end) => end.value !== from && (source?.kind !== 'account' || end.kind === 'wallet'),
  )
  const target = targets.find(({ value }) => value === to)
  return (
    <FormDrawer state={state} title="New transfer" submitLabel="Transfer" opened onClose={onClose}>
      {trader ? (
        <TextInput label="Trader" value={trader.name} readOnly />
      ) : (
        <TraderPicker data-autofocus {...field('traderId')} />
      )}
      <Select
        label="From"
        placeholder={traderId ? 'Choose' : 'Choose a trader first'}
        disabled={!traderId}
        data={endOptions(sources)}
        {...field('from')}
      />
      {own.ready && sources.length === 0 && (
        <Text size="sm" c="dimmed">
          This trader has nothing that money could be taken from.
        </Text>
      )}
      {manager && <Checkbox label="To another trader" {...field('elsewhere', { type: 'checkbox' })} />}
      {elsewhere && <TraderPicker label="Other trader" {...field('otherTraderId')} />}
      <Select
        label="To"
        placeholder={source ? 'Choose' : 'Choose where it comes from first'}
        disabled={!source}
        data={endOptions(targets)}
        {...field('to')}
      />
      <AmountField label="Amount" placeholder="0.00" currency={source?.currency ?? ''} {...field('amount')} />
      {source && target && source.currency !== target.currency && (
        <ConversionPreview amount={amount} base={source.currency} quote={target.currency} />
      )}
      <Textarea label="Note" description="For colleagues" autosize minRows={2} {...field('note')} />
    </FormDrawer>
  )
}
