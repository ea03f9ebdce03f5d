import { redirect } from 'next/navigation'
import { listEstimatesToDecide } from '@/lib/domain/cost-estimates/queries'
import { load, requireUser } from '@/lib/http/load'

/**
 * Where the day begins: those who review and coordinate at what waits for them, and so does anybody whose decision an
 * estimate waits for; the others at the projects.
 */
export default async function Home() {
  const { role } = await requireUser()
  const hasWork =
    role === 'operator' || role === 'coordinator' || (await load(listEstimatesToDecide, {}, { limit: '1' })).count > 0
  redirect(hasWork ? '/work' : '/projects')
}
