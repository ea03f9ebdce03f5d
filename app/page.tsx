import { redirect } from 'next/navigation'
import { requireUser } from '@/lib/http/load'

/** Where the day begins: those who review and coordinate at what waits for them, the others at the projects. */
export default async function Home() {
  const { role } = await requireUser()
  redirect(role === 'operator' || role === 'coordinator' ? '/work' : '/projects')
}
