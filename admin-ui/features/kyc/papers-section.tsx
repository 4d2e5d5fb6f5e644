import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/section.tsx'
import { DocumentViewer } from './document-viewer.tsx'
import type { SubmissionRecord } from './kyc.api.ts'
import { paperNames } from './paper-names.ts'

/** The papers of a submission, one at a time. */
export const Papers = ({ documents }: Pick<SubmissionRecord, 'documents'>) => {
  const [shown, setShown] = useState(documents[0]?.id ?? '')
  const document = documents.find(({ id }) => id === shown)
  const names = paperNames(documents)
  const name = names.get(shown) ?? ''
  return (
    <Section title="Papers" description="Every view is written to the audit log.">
      {documents.length > 1 && (
        <SegmentedControl
          fullWidth
          mb="sm"
          aria-label="Paper"
          className="papers"
          data={[...names].map(([value, label]) => ({ value, label }))}
          value={shown}
          onChange={setShown}
        />
      )}
      {document ? (
        <>
          {documents.length === 1 && (
            <Text size="sm" fw={500} mb={6}>
              {name}
            </Text>
          )}
          <DocumentViewer document={document} name={name} />
        </>
      ) : (
        <EmptyState title="No papers">They were erased, or none were handed in.</EmptyState>
      )}
    </Section>
  )
}
