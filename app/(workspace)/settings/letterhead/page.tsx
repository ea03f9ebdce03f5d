import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { LetterheadForm } from '@/components/settings/letterhead-form'
import { LogoCard } from '@/components/settings/logo-card'
import { PageHeader } from '@/components/ui/page-header'
import { getLetterhead } from '@/lib/domain/settings/letterhead'
import { load, requirePermission } from '@/lib/http/load'
import { saveLetterhead, saveLogo } from './actions'

export const metadata: Metadata = { title: 'Letterhead' }

export default async function LetterheadPage() {
  await requirePermission('settings.manage')
  const letterhead = await load(getLetterhead)
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Letterhead' }]} width="narrow">
      <PageHeader
        title="Letterhead"
        description="What clients see on every estimate: at its head in the PDF, and on the page where they decide."
      />
      <LogoCard name={letterhead.name} logo={letterhead.logo} save={saveLogo} />
      <LetterheadForm letterhead={letterhead} save={saveLetterhead} />
    </Page>
  )
}
