; SPDX-License-Identifier: Apache-2.0
[(function) (space) (test) (property) (block)] @local.scope
(function name: (identifier) @local.definition)
(space name: (identifier) @local.definition)
(parameter name: (identifier) @local.definition)
(binding pattern: (identifier) @local.definition)
(for_head pattern: (identifier) @local.definition)
(identifier) @local.reference
