"""The embedded demo: a chatbot and a judge that need no configuration, over real HTTP on a loopback port.

Rule: everything of it says that it is a demo. The chatbot retrieves, the judge follows rules; neither is a language model.
"""
