import { Anchor, Button, Table } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { ImportForm } from './import-form.tsx'
import { ImportState } from './import-words.tsx'
import { fetchImports, type Import, isAtWork } from './imports.api.ts'
import { say } from './words.ts'
import './imports.css'

/** Lists the files of clients that the firm has uploaded, the newest first. */
export const ImportList = () => {
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const files = useQuery({
    queryKey: ['imports', 'list'],
    queryFn: fetchImports,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isAtWork) ? 3000 : false),
  })
  const bring = can('admin') && (
    <Button leftSection={<IconUpload size={16} />} onClick={() => setOpen(true)}>
      {say('movein.new')}
    </Button>
  )
  return (
    <Page title={say('movein.title')} subtitle={say('movein.about')} actions={bring}>
      <Loaded query={files}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={say('movein.none')}>{say('movein.none_text')}</EmptyState>
          ) : (
            <Files files={data} />
          )
        }
      </Loaded>
      {isOpen && <ImportForm onClose={() => setOpen(false)} />}
    </Page>
  )
}

const Files = ({ files }: { files: readonly Import[] }) => {
  const { findStaffName } = useStaff()
  return (
    <Section title={say('movein.files')} flush>
      <ScrollRegion className="import-table" label={say('movein.title')}>
        <Table aria-label={say('movein.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say('movein.file')}</Table.Th>
              <Table.Th>{say('movein.state')}</Table.Th>
              <Table.Th ta="right">{say('movein.lines')}</Table.Th>
              <Table.Th ta="right">{say('movein.created')}</Table.Th>
              <Table.Th>{say('movein.by')}</Table.Th>
              <Table.Th>{say('movein.when')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {files.map(({ id, fileName, status, lines, created, createdBy, createdAt }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Anchor component={Link} to={`/traders/import/${id}`} size="sm">
                    {fileName ?? id}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <ImportState status={status} />
                </Table.Td>
                <Table.Td ta="right">{formatCount(lines)}</Table.Td>
                <Table.Td ta="right">{formatCount(created)}</Table.Td>
                <Table.Td>{createdBy ? findStaffName(createdBy, createdAt) : ''}</Table.Td>
                <Table.Td>
                  <When at={createdAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </Section>
  )
}
