import { Page } from '@/components/layout/page'
import { Card, CardBody } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { Loading, Skeleton } from '@/components/ui/skeleton'

export default function LoadingLetterhead() {
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Letterhead' }]} width="narrow">
      <PageHeader
        title="Letterhead"
        description="What clients see on every estimate: at its head in the PDF, and on the page where they decide."
      />
      <Loading label="letterhead" className="flex flex-col gap-6">
        <Card>
          <CardBody>
            <Skeleton className="h-20 w-full" />
          </CardBody>
        </Card>
        <Card>
          <CardBody className="flex flex-col gap-5">
            <Skeleton className="h-9 w-2/3" />
            <Skeleton className="h-24 w-full" />
            <Skeleton className="h-9 w-1/3" />
            <Skeleton className="h-32 w-full" />
          </CardBody>
        </Card>
      </Loading>
    </Page>
  )
}
