import { describePart } from '../../../components/lists/paper-part.ts'
import { listCutLists, measurePart } from '../../../lib/screen/paper-lists.ts'
import { usePrinting } from '../../../lib/screen/use-printing.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { say } from '../../../lib/text/words.ts'
import { zoneName } from '../../../lib/text/zone.ts'
import type { Me } from '../../firm/auth/auth.api.ts'

/** Says on paper whose page this is, and when and by whom it was printed. The numbers of pages come from print.css. */
export const PrintHead = ({ me }: { me: Me }) =>
  usePrinting() && (
    <>
      <Origin me={me} />
      <Cut />
    </>
  )

/** Says that the paper has not all rows, so that nobody takes it for the whole list. */
const Cut = () => {
  const cut = listCutLists()
  const [first] = cut
  if (!first) return null
  return (
    <p className="print-part">
      {cut.length === 1 ? describePart(measurePart(first)) : say('lists.print.several', { count: cut.length })}
    </p>
  )
}

const Origin = ({ me }: { me: Me }) => (
  <div className="print-head">
    <strong>{me.tenant.name}</strong>
    <span>
      {say('shell.printed', {
        at: formatDateTime(new Date().toISOString()),
        person: me.displayName,
        zone: zoneName(),
      })}
    </span>
  </div>
)
