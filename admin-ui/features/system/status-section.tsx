import { useQuery } from '@tanstack/react-query'
import { say } from '../../../src/words/say.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { When } from '../../components/when.tsx'
import { formatBytes } from '../../lib/format.ts'
import { statusQuery } from './system.api.ts'

/** What the installation is and holds, in figures. */
export const StatusSection = () => {
  const status = useQuery(statusQuery)
  return (
    <Section title={say('system.status.title')}>
      <Loaded query={status}>
        {({ version, commit, schema, sqlite, startedAt, memoryBytes, disk, databases, certificate, failedJobs }) => (
          <dl className="system-facts">
            <div>
              <dt>{say('system.status.version')}</dt>
              <dd>
                {version} <span className="dim">({commit})</span>
              </dd>
            </div>
            <div>
              <dt>{say('system.status.database')}</dt>
              <dd>
                {say('system.status.schema', { schema })} <span className="dim">SQLite {sqlite}</span>
              </dd>
            </div>
            <div>
              <dt>{say('system.status.started')}</dt>
              <dd>
                <When at={startedAt} as="ago" />
              </dd>
            </div>
            <div>
              <dt>{say('system.status.memory')}</dt>
              <dd>{formatBytes(memoryBytes)}</dd>
            </div>
            <div>
              <dt>{say('system.status.disk')}</dt>
              <dd>
                {say('system.status.free', { free: formatBytes(disk.freeBytes), total: formatBytes(disk.totalBytes) })}
              </dd>
            </div>
            {databases.map(({ name, bytes, logBytes }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {formatBytes(bytes)}{' '}
                  <span className="dim">{say('system.status.log', { log: formatBytes(logBytes) })}</span>
                </dd>
              </div>
            ))}
            {certificate && (
              <div>
                <dt>{say('system.status.certificate')}</dt>
                <dd>
                  {certificate.notAfter ? <When at={certificate.notAfter} /> : say('system.status.no_certificate')}{' '}
                  <span className="dim">{certificate.names.join(', ')}</span>
                </dd>
              </div>
            )}
            {failedJobs.length > 0 && (
              <div>
                <dt>{say('system.status.failed')}</dt>
                <dd className="error-text">{failedJobs.join(', ')}</dd>
              </div>
            )}
          </dl>
        )}
      </Loaded>
    </Section>
  )
}
