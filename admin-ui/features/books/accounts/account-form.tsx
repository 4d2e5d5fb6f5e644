import { Checkbox, Select, SimpleGrid, Switch, Textarea, type TextareaProps, TextInput } from '@mantine/core'
import { useState } from 'react'
import { AmountField } from '../../../components/forms/amount-field.tsx'
import { FormDrawer } from '../../../components/forms/form-modal.tsx'
import { CurrencyField } from '../../../components/forms/money-fields.tsx'
import { useToldChange } from '../../../components/forms/use-undo.ts'
import { notify } from '../../../lib/api/notify.tsx'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { isDecimal } from '../../../lib/text/decimal.ts'
import { TraderPicker } from '../../clients/traders/trader-picker.tsx'
import { required } from '../../firm/auth/form-rules.ts'
import { ACCOUNT_STATES, accountName, usePlatformOptions } from './account-words.ts'
import { type Account, createAccount, updateAccount } from './accounts.api.ts'
import { say } from './words.ts'

type Values = Pick<Account, 'traderId' | 'platform' | 'currency' | 'balance' | 'equity' | 'isDemo' | 'status'> & {
  externalId: string
  accountNumber: string
  server: string
  leverage: string
  note: string
  shownNow: boolean
}

type AccountFormProps = {
  account?: Account
  /** This is set if the client is known already. */
  trader?: { id: string; name: string }
  onClose: () => void
}

const findAmountError = (held: string): string | null => (isDecimal(held) ? null : amountRule()(held))
const orNull = (text: string): string | null => text.trim() || null

const toValues = (account: Account | undefined, traderId: string): Values => ({
  traderId: account?.traderId ?? traderId,
  platform: account?.platform ?? 'terminal5',
  externalId: account?.externalId ?? '',
  accountNumber: account?.accountNumber ?? '',
  server: account?.server ?? '',
  currency: account?.currency ?? 'EUR',
  balance: account?.balance ?? '0',
  equity: account?.equity ?? '0',
  leverage: String(account?.leverage ?? 100),
  isDemo: account?.isDemo ?? false,
  status: account?.status ?? 'active',
  note: '',
  shownNow: false,
})

const LABELS = {
  platform: say('common.platform'),
  externalId: say('accounts.external_id.label'),
  accountNumber: say('accounts.number.label'),
  server: say('accounts.server.label'),
  leverage: say('accounts.leverage'),
}

const pickTerms = ({ platform, externalId, accountNumber, server, currency, leverage, isDemo, status }: Account) => ({
  platform,
  externalId,
  accountNumber,
  server,
  currency,
  leverage,
  isDemo,
  status,
})

/**
 * Returns a function that says how an account was changed. A new client, currency or amount has no Undo: it decides
 * whose money it is, or is a report of the platform.
 */
const useToldAccount = () => {
  const tellChange = useToldChange('accounts')
  return (account: Account, after: Account): void => {
    const isMoney = (['traderId', 'currency', 'balance', 'equity'] as const).some((key) => account[key] !== after[key])
    const before = pickTerms(account)
    tellChange({
      before,
      after: pickTerms(after),
      undo: isMoney ? null : () => updateAccount(account.id, before, after.version),
      done: say('accounts.edit.done'),
      labels: LABELS,
    })
  }
}

/** Sets up the form of an account. An unchanged amount is not sent, because it is not a report of the platform. */
const useAccountForm = ({ account, trader, onClose }: AccountFormProps) => {
  const refresh = useRefresh()
  const tellChange = useToldAccount()
  const reload = (): void => {
    void refresh('accounts')
    onClose()
  }
  const state = useApiForm({
    initialValues: toValues(account, trader?.id ?? ''),
    validate: {
      traderId: required(say('common.client.required')),
      currency: required(say('common.currency.required')),
      balance: findAmountError,
      equity: findAmountError,
      leverage: (text) => (/^[1-9]\d{0,4}$/.test(text) ? null : say('accounts.leverage.required')),
    },
    submit: ({ status, balance, equity, shownNow, note, ...values }) => {
      const moved = !account || values.currency !== account.currency
      const body = {
        ...values,
        ...((moved || shownNow || balance !== account.balance) && { balance }),
        ...((moved || equity !== account.equity) && { equity }),
        externalId: orNull(values.externalId),
        accountNumber: orNull(values.accountNumber),
        server: values.server.trim(),
        leverage: Number(values.leverage),
        ...(note.trim() && { note: note.trim() }),
      }
      return account ? updateAccount(account.id, { ...body, status }, account.version) : createAccount(body)
    },
    onDone: (after) => {
      if (account) tellChange(account, after)
      else notify(say('accounts.new.done'))
      reload()
    },
  })
  return { state, reload }
}

/** Asks why a login is this client’s, once the server has said that the terminal names somebody else. */
const WhyTheirs = ({ field }: { field: TextareaProps }) => {
  const [isAsked, setAsked] = useState(false)
  if (field.error && !isAsked) setAsked(true)
  return isAsked && <Textarea label={say('common.note')} autosize minRows={2} {...field} />
}

/** Links a trading account to a client, or changes one. */
export const AccountForm = (props: AccountFormProps) => {
  const { account, trader, onClose } = props
  const { state, reload } = useAccountForm(props)
  const field = state.form.getInputProps
  const platforms = usePlatformOptions(account?.platform)
  return (
    <FormDrawer
      state={state}
      title={account ? say('accounts.account', { accountName: accountName(account) }) : say('accounts.new.title')}
      submitLabel={account ? say('common.save') : say('accounts.new.submit')}
      opened
      onClose={onClose}
      onReload={reload}
    >
      {trader && <TextInput label={say('common.client')} value={trader.name} readOnly />}
      {!trader && !account && <TraderPicker data-autofocus {...field('traderId')} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select label={say('common.platform')} data={platforms} allowDeselect={false} {...field('platform')} />
        <TextInput label={say('accounts.number.label')} {...field('accountNumber')} />
        <TextInput
          label={say('accounts.server.label')}
          placeholder={say('accounts.server.hint')}
          {...field('server')}
        />
        <TextInput label={say('accounts.external_id.label')} {...field('externalId')} />
        <TextInput label={say('accounts.leverage')} leftSection="1:" inputMode="numeric" {...field('leverage')} />
        <CurrencyField {...field('currency')} />
        {account && (
          <Select label={say('field.status')} data={ACCOUNT_STATES} allowDeselect={false} {...field('status')} />
        )}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <AmountField
          label={say('accounts.balance')}
          description={say('accounts.reported.hint')}
          currency={state.form.getValues().currency}
          {...field('balance')}
        />
        <AmountField
          label={say('accounts.equity')}
          description={say('accounts.reported.hint')}
          currency={state.form.getValues().currency}
          {...field('equity')}
        />
      </SimpleGrid>
      {account && (
        <Checkbox
          label={say('accounts.reported.label')}
          description={say('accounts.reported.confirm_hint')}
          {...state.form.getInputProps('shownNow', { type: 'checkbox' })}
        />
      )}
      <WhyTheirs field={field('note')} />
      <Switch label={say('accounts.demo.label')} {...state.form.getInputProps('isDemo', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
