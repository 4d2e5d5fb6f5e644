import { Facts } from '../../../components/page/record-page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { countryName } from '../../../lib/text/countries.ts'
import { dayText } from '../../../lib/text/day-text.ts'
import { phoneText } from '../../../lib/text/phone-text.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { traderName } from '../traders/trader-names.ts'
import type { Trader } from '../traders/traders.api.ts'
import type { SubmissionRecord } from './kyc.api.ts'
import { say } from './words.ts'

type KycFactsProps = { submission: SubmissionRecord; trader: Trader }

/** Shows the data with which the documents must agree, and the decision about them. */
export const KycFacts = ({ submission, trader }: KycFactsProps) => {
  const seesAll = useCan()('operator')
  const { address } = trader
  const lines = address && [address.street, address.city, address.region, address.postalCode].filter(Boolean)
  const decided = submission.status !== 'requested'
  return (
    <>
      <Section
        title={say('common.client')}
        description={seesAll ? say('kyc.facts.about') : say('fields.identity.hidden')}
      >
        <Facts
          items={[
            [say('common.name'), <TraderLink key="name" id={trader.id} name={traderName(trader)} />],
            [say('field.dateOfBirth'), seesAll ? trader.dateOfBirth && dayText(trader.dateOfBirth) : undefined],
            [say('field.country'), trader.country && countryName(trader.country)],
            [say('field.address'), lines?.join(', ') || null],
            [say('field.email'), trader.email],
            [say('field.phone'), trader.phone && phoneText(trader.phone)],
            [say('kyc.facts.level_now'), String(trader.kycLevel)],
            [say('kyc.facts.level_requested'), String(submission.level)],
            [say('common.note'), submission.note ?? undefined],
          ]}
        />
      </Section>
      {decided && (
        <Section title={say('kyc.decision')}>
          <Facts
            items={[
              [say('common.decided_by'), submission.staff?.decidedByName ?? undefined],
              [say('common.decided_at'), <When key="at" at={submission.decidedAt} />],
              [say('kyc.reject.reason'), submission.staff?.rejectionCode ?? undefined],
              [say('kyc.detail.label'), submission.rejectionDetail ?? undefined],
              [say('common.internal_note'), submission.staff?.rejectionNote ?? undefined],
            ]}
          />
        </Section>
      )}
    </>
  )
}
