import { Checkbox, Select, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { NoteField } from '../../../components/forms/note-field.tsx'
import { notify } from '../../../lib/api/notify.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { TraderPicker } from '../../clients/traders/trader-picker.tsx'
import { required } from '../../firm/auth/form-rules.ts'
import { ConversionPreview } from '../fx/conversion-preview.tsx'
import { useSameQuote } from '../fx/quotes.ts'
import { type Picked, transferChoices } from './transfer-choices.ts'
import { accountValue, type End, endOptions, useEnds } from './transfer-ends.ts'
import { createTransfer, type Transfer } from './transfers.api.ts'
import { say } from './words.ts'

type CreateTransferProps = {
  trader?: { id: string; name: string }
  /** The trading account that is chosen from the beginning, and on which side. */
  chosen?: { side: 'from' | 'to'; accountId: string }
  /** What is shown above the amount. */
  beside?: ReactNode
  onClose: () => void
}

const NO_ENDS = { from: '', elsewhere: false, otherTraderId: '', to: '' }

const side = (name: 'from' | 'to', end: End) =>
  end.kind === 'wallet' ? { [`${name}WalletId`]: end.id } : { [`${name}AccountId`]: end.id }

/** Says what was transferred, in the currencies of both ends, or that the platform has to book it first. */
const posted = ({ fromAmount, fromCurrency, toAmount, toCurrency, state }: Transfer): string => {
  const left = `${groupDigits(fromAmount)} ${fromCurrency}`
  if (state === 'sent') return say('transfers.new.sent', { left })
  return fromCurrency === toCurrency
    ? say('transfers.new.done', { left })
    : say('transfers.new.done_converted', { left, toAmount: groupDigits(toAmount), toCurrency })
}

/** Sets up the form of a transfer, and lists the ends that can be chosen in it. */
const useTransferForm = ({ trader, chosen, onClose }: CreateTransferProps) => {
  const manager = useCan()('manager')
  const refresh = useRefresh()
  const sameQuote = useSameQuote()
  const state = useApiForm({
    initialValues: {
      ...NO_ENDS,
      ...(chosen && { [chosen.side]: accountValue(chosen.accountId) }),
      traderId: trader?.id ?? '',
      amount: '',
      note: '',
    },
    validate: {
      traderId: required(say('common.client.required')),
      from: (_from, values) => (listChoices(values).source ? null : say('transfers.from.required')),
      to: (_to, values) => (listChoices(values).target ? null : say('transfers.to.required')),
      amount: amountRule(),
    },
    submit: async ({ amount, note, ...picked }) => {
      const { source, target } = listChoices(picked)
      if (!source || !target) throw new Error('An end of the transfer is gone')
      if (source.currency !== target.currency)
        await sameQuote({ amount, base: source.currency, quote: target.currency, who: 'staff' })
      return createTransfer({
        ...side('from', source),
        ...side('to', target),
        amount,
        ...(note.trim() && { note: note.trim() }),
      })
    },
    onDone: (transfer: Transfer) => {
      notify(posted(transfer))
      void refresh('transfers')
      onClose()
    },
  })
  const { traderId, otherTraderId, elsewhere, ...values } = state.form.getValues()
  const own = useEnds(traderId)
  const others = useEnds(elsewhere ? otherTraderId : '')
  const listChoices = (picked: Picked) =>
    transferChoices(picked, {
      own: own.ends,
      others: others.ends,
      // nothing goes from one account to another
      manager: manager && (picked.elsewhere || chosen?.side !== 'to'),
    })
  const choices = listChoices({ ...values, elsewhere })
  return { state, manager, choices, hasNothing: own.ready && choices.sources.length === 0 }
}

/** Moves money between wallets, or between a wallet and a trading account. */
export const CreateTransfer = (props: CreateTransferProps) => {
  const { trader, chosen, beside, onClose } = props
  const { state, manager, choices, hasNothing } = useTransferForm(props)
  const { getInputProps: field, setValues } = state.form
  const { traderId, amount } = state.form.getValues()
  const { source, target } = choices
  return (
    <FormDrawer
      state={state}
      title={say('transfers.new.title')}
      submitLabel={say('transfers.transfer')}
      opened
      onClose={onClose}
    >
      {trader ? (
        <TextInput label={say('common.client')} value={trader.name} readOnly />
      ) : (
        <TraderPicker
          data-autofocus
          {...field('traderId')}
          value={traderId || null}
          onChange={(id) => setValues({ traderId: id ?? '', from: '', to: '' })}
        />
      )}
      <Ends form={state.form} choices={choices} manager={manager} hasNothing={hasNothing} chosen={chosen} />
      {beside}
      <AmountField
        label={say('common.amount')}
        placeholder={groupDigits('0.00')}
        currency={source?.currency ?? ''}
        showCurrency
        {...field('amount')}
      />
      {source && target && source.currency !== target.currency && (
        <ConversionPreview amount={amount} base={source.currency} quote={target.currency} />
      )}
      <NoteField {...field('note')} />
    </FormDrawer>
  )
}

type EndsProps = {
  form: ReturnType<typeof useTransferForm>['state']['form']
  choices: ReturnType<typeof transferChoices>
  /** This is true if the viewer may move money from one client to another. */
  manager: boolean
  /** This is true if the client has nothing from which money could be taken. */
  hasNothing: boolean
  chosen: CreateTransferProps['chosen']
}

/**
 * Asks from where to where. When the options of a field change, its choice is cleared: otherwise it would stay in the
 * form unseen.
 */
const Ends = ({ form, choices: { sources, targets, source }, manager, hasNothing, chosen }: EndsProps) => {
  const { getInputProps: field, setValues } = form
  const { traderId, otherTraderId, elsewhere, from, to } = form.getValues()
  // the account that the form was opened for stays the target of every wallet
  const kept = chosen?.side === 'to' && !elsewhere ? accountValue(chosen.accountId) : ''
  return (
    <>
      <Select
        label={say('transfers.from')}
        placeholder={traderId ? say('transfers.choose') : say('transfers.from.client_first')}
        disabled={!traderId}
        data={endOptions(sources)}
        {...field('from')}
        value={from || null}
        onChange={(value) => setValues({ from: value ?? '', to: kept })}
      />
      {hasNothing && (
        <Text size="sm" c="dimmed">
          {say('transfers.from.empty')}
        </Text>
      )}
      {manager && (
        <Checkbox
          label={say('transfers.other_client.check')}
          {...field('elsewhere', { type: 'checkbox' })}
          onChange={(event) => setValues({ elsewhere: event.currentTarget.checked, otherTraderId: '', to: '' })}
        />
      )}
      {elsewhere && (
        <TraderPicker
          label={say('transfers.other_client.label')}
          {...field('otherTraderId')}
          value={otherTraderId || null}
          onChange={(id) => setValues({ otherTraderId: id ?? '', to: '' })}
        />
      )}
      <Select
        label={say('common.to')}
        placeholder={source ? say('transfers.choose') : say('transfers.to.from_first')}
        disabled={!source}
        data={endOptions(targets)}
        {...field('to')}
        value={to || null}
        onChange={(value) => setValues({ to: value ?? '' })}
      />
    </>
  )
}
