import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Section } from '../../../components/page/section.tsx'
import { DocumentViewer } from './document-viewer.tsx'
import type { SubmissionRecord } from './kyc.api.ts'
import { paperNames } from './paper-names.ts'
import { say } from './words.ts'

/** Shows the documents of a submission, one at a time. */
export const Papers = ({ documents }: Pick<SubmissionRecord, 'documents'>) => {
  const [shown, setShown] = useState(documents[0]?.id ?? '')
  const document = documents.find(({ id }) => id === shown)
  const names = paperNames(documents)
  const name = names.get(shown) ?? ''
  return (
    <Section title={say('kyc.documents.title')} description={say('kyc.documents.about')}>
      {documents.length > 1 && (
        <SegmentedControl
          fullWidth
          mb="sm"
          aria-label={say('kyc.paper')}
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
        <EmptyState title={say('kyc.documents.empty.title')}>{say('kyc.documents.empty.about')}</EmptyState>
      )}
    </Section>
  )
}
