import m0000 from '../../../migrations/0000_foundation.sql' with { type: 'text' }
import m0001 from '../../../migrations/0001_money.sql' with { type: 'text' }
import m0002 from '../../../migrations/0002_people_and_papers.sql' with { type: 'text' }
import m0003 from '../../../migrations/0003_queues.sql' with { type: 'text' }
import m0004 from '../../../migrations/0004_second_looks.sql' with { type: 'text' }
import m0005 from '../../../migrations/0005_two_people.sql' with { type: 'text' }
import m0007 from '../../../migrations/0007_papers.sql' with { type: 'text' }
import m0008 from '../../../migrations/0008_feeds.sql' with { type: 'text' }
import m0009 from '../../../migrations/0009_rates.sql' with { type: 'text' }
import m0010 from '../../../migrations/0010_sign_in.sql' with { type: 'text' }
import m0011 from '../../../migrations/0011_evidence.sql' with { type: 'text' }
import m0012 from '../../../migrations/0012_reporting.sql' with { type: 'text' }
import m0013 from '../../../migrations/0013_transfers_by_change.sql' with { type: 'text' }
import m0014 from '../../../migrations/0014_whose_account.sql' with { type: 'text' }
import m0015 from '../../../migrations/0015_whose_word.sql' with { type: 'text' }
import m0016 from '../../../migrations/0016_whose_hand.sql' with { type: 'text' }
import m0017 from '../../../migrations/0017_commissions_in_the_books.sql' with { type: 'text' }
import m0018 from '../../../migrations/0018_affiliates.sql' with { type: 'text' }
import m0019 from '../../../migrations/0019_ads.sql' with { type: 'text' }
import m0020 from '../../../migrations/0020_reports.sql' with { type: 'text' }
import m0021 from '../../../migrations/0021_views_and_merges.sql' with { type: 'text' }
import m0022 from '../../../migrations/0022_past_rates.sql' with { type: 'text' }
import m0023 from '../../../migrations/0023_what_the_box_remembers.sql' with { type: 'text' }
import m0024 from '../../../migrations/0024_search.sql' with { type: 'text' }
import m0025 from '../../../migrations/0025_views_and_people.sql' with { type: 'text' }
import m0026 from '../../../migrations/0026_amounts.sql' with { type: 'text' }
import m0027 from '../../../migrations/0027_moving_in.sql' with { type: 'text' }

/**
 * A migration, and other texts under which a build of the same day ran it, each with what makes it the same after. A
 * rehearsal fails where a table has fewer rows after it, unless it is one that rows are removed from on purpose.
 */
export type Migration = {
  name: string
  sql: string
  variants?: readonly { checksum: string; mend: string }[]
  removesFrom?: readonly string[]
}

// Two builds of 2026-11-22 brought other texts of these two; a database of theirs must open all the same.
const V0014 = {
  checksum: 'f6a9a7de4a5345e1b2fdc0cddeb6f08494a2da7df32f78f505aa54716973c7b1',
  mend: `ALTER TABLE account_streams ADD COLUMN reported_by TEXT;
    ALTER TABLE account_streams DROP COLUMN bridge_sequence;`,
}
const V0015 = {
  checksum: '86f7e25f513e617482b0fff6cfce53478ea928f5ec8ca847ed3d0d995a7c4af3',
  mend: `ALTER TABLE account_streams ADD COLUMN bridge_sequence INTEGER;
    ALTER TABLE account_streams DROP COLUMN reported_by;
    CREATE INDEX transfers_contradicted ON transfers (tenant_id, contradicted_at) WHERE contradicted_at IS NOT NULL;
    UPDATE position_streams SET bridge_sequence = sequence;
    UPDATE account_streams SET bridge_sequence = sequence;`,
}

/**
 * Every migration in order, embedded as text. A published one is
 * never edited; the checksum in the database would refuse it.
 */
export const migrations: readonly Migration[] = [
  { name: '0000_foundation', sql: m0000 },
  { name: '0001_money', sql: m0001 },
  { name: '0002_people_and_papers', sql: m0002 },
  { name: '0003_queues', sql: m0003 },
  { name: '0004_second_looks', sql: m0004 },
  { name: '0005_two_people', sql: m0005 },
  { name: '0007_papers', sql: m0007, removesFrom: ['job_state'] },
  { name: '0008_feeds', sql: m0008 },
  { name: '0009_rates', sql: m0009 },
  { name: '0010_sign_in', sql: m0010 },
  { name: '0011_evidence', sql: m0011 },
  { name: '0012_reporting', sql: m0012 },
  { name: '0013_transfers_by_change', sql: m0013 },
  { name: '0014_whose_account', sql: m0014, variants: [V0014] },
  { name: '0015_whose_word', sql: m0015, variants: [V0015] },
  { name: '0016_whose_hand', sql: m0016 },
  { name: '0017_commissions_in_the_books', sql: m0017 },
  { name: '0018_affiliates', sql: m0018 },
  { name: '0019_ads', sql: m0019 },
  { name: '0020_reports', sql: m0020 },
  { name: '0021_views_and_merges', sql: m0021 },
  { name: '0022_past_rates', sql: m0022 },
  { name: '0023_what_the_box_remembers', sql: m0023 },
  { name: '0024_search', sql: m0024 },
  { name: '0025_views_and_people', sql: m0025 },
  { name: '0026_amounts', sql: m0026 },
  { name: '0027_moving_in', sql: m0027 },
]
