import { Section } from '../../../components/page/section.tsx'
import { groupDigits } from '../../../lib/text/format.ts'
import type { ApprovalPolicy } from './policies.api.ts'
import { say } from './words.ts'

type Rule = readonly [title: string, text: string]

/** Names what colleagues decide about, for the list of rules and for the simulator. */
export const KIND_WORDS = {
  withdrawal: say('settings.rules.withdrawal.title'),
  payout: say('settings.rules.payout.title'),
  deposit: say('settings.rules.deposit.title'),
  client_deposit: say('settings.rules.client_deposit.title'),
  transfer: say('settings.rules.transfer.title'),
  account_transfer: say('settings.rules.account_transfer.title'),
  adjustment: say('settings.rules.adjustment.title'),
} as const

const RuleList = ({ title, about, rules }: { title: string; about: string; rules: readonly Rule[] }) => (
  <Section title={title} description={about} flush>
    <ul className="rows" aria-label={title}>
      {rules.map(([name, text]) => (
        <li key={name} className="row">
          <div className="row-main">
            <div>{name}</div>
            <div className="row-sub">{text}</div>
          </div>
        </li>
      ))}
    </ul>
  </Section>
)

/** Shows every rule that can hold a payment, with the figures of the firm. RULES “Who approves what” has them too. */
export const ApprovalRules = ({ policy }: { policy: ApprovalPolicy }) => {
  const { currency, threshold, ownMoneyLimit, minKycLevel } = policy
  const limit = `${groupDigits(threshold)} ${currency}`
  const own = `${groupDigits(ownMoneyLimit)} ${currency}`
  return (
    <>
      <RuleList
        title={say('settings.rules.amounts.title')}
        about={say('settings.rules.amounts.about')}
        rules={[
          [KIND_WORDS.withdrawal, say('settings.rules.withdrawal', { limit })],
          [KIND_WORDS.payout, say('settings.rules.payout', { limit })],
          [KIND_WORDS.deposit, say('settings.rules.deposit', { limit })],
          [KIND_WORDS.client_deposit, say('settings.rules.client_deposit', { limit })],
          [KIND_WORDS.transfer, say('settings.rules.transfer', { limit })],
          [KIND_WORDS.account_transfer, say('settings.rules.account_transfer', { limit })],
          [KIND_WORDS.adjustment, say('settings.rules.adjustment')],
          [say('settings.rules.reference.title'), say('settings.rules.reference')],
        ]}
      />
      <RuleList
        title={say('settings.rules.people.title')}
        about={say('settings.rules.people.about')}
        rules={[
          [say('settings.rules.barred.title'), say('settings.rules.barred')],
          [say('settings.rules.own_money.title'), say('settings.rules.own_money', { own })],
          [say('settings.rules.sums.title'), say('settings.rules.sums')],
          [say('settings.rules.own_rate.title'), say('settings.rules.own_rate', { limit })],
          [say('settings.rules.lifted.title'), say('settings.rules.lifted')],
          [say('settings.rules.small.title'), say('settings.rules.small')],
          [say('settings.rules.time.title'), say('settings.rules.time')],
          [say('settings.rules.client.title'), say('settings.rules.client', { minKycLevel })],
        ]}
      />
    </>
  )
}
