import type { z } from 'zod'
import type { Operation } from '@/lib/domain/kernel/operation'
import type { Described, Sections } from './interface'

/**
 * The types of the client of /api: each call that returns JSON, with its path parameters, query, body and response. They
 * are derived from the table of the interface, as the OpenAPI description is. Types only: the browser imports these.
 */

type IntersectionOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never

/** One property for each method of each path: `GET /api/projects/{project_id}`. */
type LinesOf<Paths> = Paths extends unknown
  ? {
      [Path in keyof Paths & string]: {
        [Method in keyof Paths[Path] & string as `${Method} ${Path}`]: Paths[Path][Method]
      }
    }[keyof Paths & string]
  : never
type Lines = IntersectionOf<LinesOf<Sections[number]['paths']>>

/** Files travel by forms, by tus and by links; what takes or returns anything but JSON is not called by the client. */
type IsJson<Target> = Target extends { kind: 'query' | 'command' }
  ? true
  : Target extends { kind: 'described'; response: z.ZodType }
    ? true
    : false
type Calls = { [Line in keyof Lines as IsJson<Lines[Line]> extends true ? Line : never]: Lines[Line] }

/** A method and the pattern of a path, as the API reference writes them: `GET /api/projects/{project_id}`. */
export type Call = keyof Calls & string

/** What a call returns: undefined where the response has no content. */
export type ResponseTo<Line extends Call> =
  Calls[Line] extends Operation<infer _, infer Output, infer __>
    ? Output
    : Calls[Line] extends Described<infer Output extends z.ZodType, infer _, infer __>
      ? z.output<Output>
      : never

/** The shape of the query of a GET, of the body of any other. */
type InputOf<Line extends Call> =
  Calls[Line] extends Operation<infer _, infer __, infer Input>
    ? Input
    : Calls[Line] extends Described<infer _, infer Body, infer Query>
      ? Line extends `GET ${string}`
        ? Query
        : Body
      : never

type Nothing = Record<string, never>
type NameIn<Line extends string> = Line extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never
type ParamsOf<Line extends string> = [NameIn<Line>] extends [never] ? Nothing : Record<NameIn<Line>, string>

type BodyOf<Input> = Input extends z.ZodUndefined ? Nothing : Input extends z.ZodType ? z.input<Input> : never
/** What may be left out is said by the input, what a value means by the output: on its way everything is text. */
type QueryOf<Input> = Input extends z.ZodUndefined
  ? Nothing
  : Input extends z.ZodType<infer Output>
    ? { [Name in keyof z.input<Input>]: Name extends keyof Output ? Output[Name] : never }
    : never

/** Optional where nothing, or nothing in particular, has to be given. */
type Option<Name extends string, Value> = [Value] extends [Nothing]
  ? { [N in Name]?: Nothing }
  : object extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value }

/** What goes with a call besides its path. */
export type CallOptions<Line extends Call> = Line extends Call
  ? Option<'params', ParamsOf<Line>> &
      (Line extends `GET ${string}` ? Option<'query', QueryOf<InputOf<Line>>> : Option<'body', BodyOf<InputOf<Line>>>)
  : never
