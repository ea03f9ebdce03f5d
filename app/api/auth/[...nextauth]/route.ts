import NextAuth from 'next-auth'
import { authOptions } from '@/lib/auth'
import { addressOf } from '@/lib/http/request'
import { refusalOf } from '@/lib/http/sign-in'

const handler = async (request: Request, route: { params: Promise<{ nextauth: string[] }> }) =>
  (await refusalOf(request)) ?? NextAuth(request as never, route as never, authOptions(addressOf(request)))

export { handler as GET, handler as POST }
