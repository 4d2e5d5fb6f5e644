import { Facts } from '../../components/record-page.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { countryName } from '../../lib/countries.ts'
import { dayText } from '../../lib/day-text.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { traderName } from '../traders/trader-names.ts'
import type { Trader } from '../traders/traders.api.ts'
import type { SubmissionRecord } from './kyc.api.ts'

type KycFactsProps = { submission: SubmissionRecord; trader: Trader }

/** What the papers have to agree with, and what was decided about them. */
export const KycFacts = ({ submission, trader }: KycFactsProps) => {
  const { address } = trader
  const lines = address && [address.street, address.city, address.region, address.postalCode].filter(Boolean)
  const decided = submission.status !== 'requested'
  return (
    <>
      <Section title="Client" description="As the profile has it. The papers must say the same.">
        <Facts
          items={[
            ['Name', <TraderLink key="name" id={trader.id} name={traderName(trader)} />],
            ['Date of birth', trader.dateOfBirth && dayText(trader.dateOfBirth)],
            ['Country', trader.country && countryName(trader.country)],
            ['Address', lines?.join(', ') || null],
            ['E-mail', trader.email],
            ['Phone', trader.phone],
            ['Level now', String(trader.kycLevel)],
            ['Level asked for', String(submission.level)],
            ['Note', submission.note ?? undefined],
          ]}
        />
      </Section>
      {decided && (
        <Section title="Decision">
          <Facts
            items={[
              ['Decided by', submission.staff?.decidedByName ?? undefined],
              ['Decided at', <When key="at" at={submission.decidedAt} />],
              ['Reason', submission.staff?.rejectionCode ?? undefined],
              ['What the client is told', submission.rejectionDetail ?? undefined],
              ['Internal note', submission.staff?.rejectionNote ?? undefined],
            ]}
          />
        </Section>
      )}
    </>
  )
}
